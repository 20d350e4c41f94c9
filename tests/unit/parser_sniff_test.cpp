// Logs that hold the output of tools stay logs: no parser may take them away from the log reader.
#include <catch2/catch.hpp>
#include <string>

#include "parsers/parser.h"

namespace tfpm {
namespace {

const char* const kLog =
    "2026-03-05 14:05:42,123 INFO train: step 1 loss 2.5\n"
    "2026-03-05 14:05:43,123 INFO train: step 2 loss 2.4\n"
    "2026-03-05 14:05:44,123 INFO train: step 3 loss 2.3\n"
    "Traceback (most recent call last):\n"
    "  File \"/srv/train.py\", line 5, in <module>\n"
    "ValueError: bad\n";

void check_log(const std::string& text, const std::string& path = "logs/worker-1.log") {
  const std::string_view head = std::string_view(text).substr(0, kSniffBytes);
  for (const auto& parser : make_all_parsers()) {
    INFO(parser->name());
    CHECK(parser->sniff({path, {head.data(), head.size()}, head.size() == text.size()}) <=
          kTextFallbackScore);
  }
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("plain logs") {
  check_log(kLog);
  check_log(kLog, "stacks/nvidia-smi/tf-config-unset/dmesg-worker-1.log");
  check_log("");
  check_log("\n\n");
}

TEST_CASE("a job script's variables before the training") {
  check_log(std::string("NCCL_DEBUG=INFO\nTF_CPP_MIN_LOG_LEVEL=0\nCUDA_VISIBLE_DEVICES=0\n") +
            kLog);
  check_log(std::string("Python 3.11.2\ntensorflow==2.15.0\n") + kLog);
  check_log(
      std::string(R"(TF_CONFIG={"cluster": {"worker": ["a:1"]}, "task": {"type": "worker"}})") +
      "\n" + kLog);
}

TEST_CASE("a journal's export is no dump of an environment, and no kernel log") {
  const std::string record =
      "__REALTIME_TIMESTAMP=1772719542123456\n_HOSTNAME=gpu-n1\nPRIORITY=3\nMESSAGE=step 1\n\n";
  for (const std::string& text :
       {repeated(record, 5),
        repeated(record, 5) + "MESSAGE\n" + std::string("\2\0\0\0\0\0\0\0ab", 10) + "\n\n"}) {
    for (const auto& parser : make_all_parsers()) {
      INFO(parser->name());
      const SniffScore score = parser->sniff({"journal.export", {text.data(), text.size()}, true});
      CHECK((score > kTextFallbackScore) == (parser->name() == "journal-export"));
    }
  }
}

TEST_CASE("a job script's nvidia-smi before the training") {
  const std::string row =
      "|   0  NVIDIA A100-SXM4-80GB          On  |   00000000:3B:00.0 Off |                    0 "
      "|\n";
  check_log("Thu Mar  5 14:05:42 2026\n| NVIDIA-SMI 580.65.06 Driver Version: 580.65.06 |\n" +
            repeated(row, 40) + kLog);
}

TEST_CASE("a log viewer's table with bars is no nvidia-smi table") {
  check_log(
      repeated("  |   |   | 2021-11-17 12:30:27 | INFO:tensorflow:Waiting for the cluster\n", 8));
}

TEST_CASE("dumps of threads in a log") {
  const std::string dump =
      "Timeout (0:02:00)!\nThread 0x00007f2a11223700 (most recent call first):\n"
      "  File \"/srv/train.py\", line 88 in run\n  File \"/srv/train.py\", line 140 in <module>\n";
  check_log(kLog + repeated(dump, 5));
}

TEST_CASE("lines of Slurm among those of the tasks") {
  check_log("nodes gpu-n[1-3]\n" + repeated(std::string("0: ") + "step 1 loss 2\n", 20) +
            "srun: error: gpu-n2: task 1: Killed\nsrun: Force Terminated StepId=4.0\n");
}

TEST_CASE("logs of JSON lines") {
  check_log(
      repeated("{\"ts\": 1, \"task\": \"worker-0\", \"cluster\": \"prod\", \"step\": 1}\n", 10));
}

}  // namespace tfpm
