#include <catch2/catch.hpp>
#include <string>

#include "ingest/lines.h"

namespace tfpm {
namespace {

// A detector that has seen `line` often enough.
EnvelopeDetector detector_for(std::string_view line) {
  std::string head;
  for (int i = 0; i < 10; ++i) head.append(line).append("\n");
  return EnvelopeDetector::from_head(head);
}

struct Expected {
  std::string_view line;
  EnvelopeKind kind;
  std::string_view tag;
  std::string_view inner;
};

void check(const Expected& e) {
  CAPTURE(e.line);
  const Envelope envelope = detector_for(e.line).peel(e.line);
  CHECK(to_string(envelope.kind) == to_string(e.kind));
  CHECK(envelope.tag == e.tag);
  CHECK(envelope.inner == e.inner);
}

}  // namespace

TEST_CASE("collectors that put their own marks in front are peeled") {
  check({"[resnet-worker-2] step 3", EnvelopeKind::kStern, "resnet-worker-2", "step 3"});
  check({"[resnet-worker-2 tensorflow] step 3", EnvelopeKind::kStern, "resnet-worker-2", "step 3"});
  check({"1469.worker.1  | [2019-06-04T16:49:20Z] step 3", EnvelopeKind::kCompose, "1469.worker.1",
         "step 3"});
  check({R"(2026-03-05T14:05:42Z {pod="w-2", container="tf"} step 3)", EnvelopeKind::kJson, "w-2",
         "step 3"});
  check({"INFO|2018-01-26T13:26:04|/opt/launcher.py|27| 2018-01-26 13:26:04.232227: I a/b.cc:1] x",
         EnvelopeKind::kRfc3339, "", "2018-01-26 13:26:04.232227: I a/b.cc:1] x"});
  check({R"({"timestamp": 1772719542123, "message": "step 3", "logStreamName": "job/algo-1"})",
         EnvelopeKind::kJson, "job/algo-1", "step 3"});
  check({R"({"log": "x\n", "stream": "stderr", "time": "2026-03-05T14:05:42.1Z"})",
         EnvelopeKind::kDockerJson, "", "x"});
}

TEST_CASE("a program that tags only some of its lines keeps them") {
  const std::string head =
      "[worker-2] step 1\n[worker-2] step 2\n[worker-2] step 3\nTraceback (most recent call "
      "last):\n";
  CHECK(EnvelopeDetector::from_head(head).kind() == EnvelopeKind::kNone);
}

TEST_CASE("every envelope is found and peeled") {
  check({"[pod/w-2/tensorflow] INFO:tensorflow:x", EnvelopeKind::kKubectl, "w-2",
         "INFO:tensorflow:x"});
  check({"[pod/w-2/tensorflow] 2026-03-05T14:05:42.123456789Z Epoch 3/10", EnvelopeKind::kKubectl,
         "w-2", "Epoch 3/10"});
  check(
      {"2026-03-05T14:05:42.123456789Z stderr F Epoch 3/10", EnvelopeKind::kCri, "", "Epoch 3/10"});
  check({"resnet-worker-2 tensorflow Epoch 3/10", EnvelopeKind::kStern, "resnet-worker-2",
         "Epoch 3/10"});
  check({"ml resnet-worker-2 tensorflow Epoch 3/10", EnvelopeKind::kStern, "resnet-worker-2",
         "Epoch 3/10"});
  check({"12: Epoch 3/10", EnvelopeKind::kSrun, "12", "Epoch 3/10"});
  check({" 3: Epoch 3/10", EnvelopeKind::kSrun, "3", "Epoch 3/10"});
  check({"[1,3]<stderr>:Epoch 3/10", EnvelopeKind::kMpi, "[1,3]", "Epoch 3/10"});
  check(
      {"Thu Mar  5 14:05:42 2026[1,0]<stdout>:step 100", EnvelopeKind::kMpi, "[1,0]", "step 100"});
  check({"[3]<stdout>:Epoch 3/10", EnvelopeKind::kMpi, "[3]", "Epoch 3/10"});
  check({"(train_fn pid=4242, ip=10.0.0.24) step 3", EnvelopeKind::kRay,
         "train_fn pid=4242, ip=10.0.0.24", "step 3"});
  check({"[worker-2]:    step 3", EnvelopeKind::kRunner, "worker-2", "step 3"});
  check({"worker-2  | step 3", EnvelopeKind::kCompose, "worker-2", "step 3"});
  check(
      {"Mar  5 14:05:42 node-04 train[1187]: step 3", EnvelopeKind::kSyslog, "node-04", "step 3"});
  check({"2026-03-05T14:05:42.1Z I0305 14:05:42.120000    7 a.cc:1] x", EnvelopeKind::kRfc3339, "",
         "I0305 14:05:42.120000    7 a.cc:1] x"});
  check({R"({"log":"a \"b\"\n","stream":"stderr","time":"2026-03-05T14:05:42.1Z"})",
         EnvelopeKind::kDockerJson, "", R"(a \"b\")"});
  check({R"({"log": "a\n", "stream": "stderr", "time": "2026-03-05T14:05:42.1Z"})",
         EnvelopeKind::kDockerJson, "", "a"});
  check({R"({"log":"x\n","stream":"stderr","time":"2026-03-05T14:05:42.1Z","kubernetes":)"
         R"({"pod_name":"w-1","container_name":"tf"}})",
         EnvelopeKind::kJson, "w-1", "x"});
  check(
      {R"({"@timestamp":"2026-03-05T14:05:42.1Z","message":"x","kubernetes":{"pod":{"name":"w-1"}}})",
       EnvelopeKind::kJson, "w-1", "x"});
  check({R"({"textPayload":"x","resource":{"type":"k8s","labels":{"pod_name":"w-1"}}})",
         EnvelopeKind::kJson, "w-1", "x"});
  check({R"({"__REALTIME_TIMESTAMP":"1772719542123456","_HOSTNAME":"n4","MESSAGE":"x"})",
         EnvelopeKind::kJson, "n4", "x"});
}

TEST_CASE("the collector's stamp, channel and pieces") {
  const auto cri = EnvelopeDetector::from_head("2026-03-05T14:05:42.5Z stdout F x\n");
  const Envelope piece = cri.peel("2026-03-05T14:05:42.123456789Z stdout P 100/100 [====");
  CHECK(piece.partial);
  CHECK(piece.channel == "stdout");
  CHECK(piece.stamp.time_us == 1'772'719'542'123'456);
  CHECK(piece.stamp.basis == StampBasis::kZoned);
  CHECK_FALSE(cri.tagged());
}

TEST_CASE("envelopes inside envelopes") {
  const std::string_view line =
      "[pod/mpi-launcher-x/mpi] 2026-03-05T14:05:42Z [1,3]<stderr>:step 3";
  const EnvelopeDetector detector = detector_for(line);
  const Envelope envelope = detector.peel(line);
  CHECK(envelope.kind == EnvelopeKind::kMpi);
  CHECK(envelope.tag == "[1,3]");
  CHECK(rank_of(envelope) == 3);
  CHECK(envelope.container == "mpi");
  CHECK(envelope.inner == "step 3");
  const Envelope launcher = detector.peel("[pod/mpi-launcher-x/mpi] mpirun noticed");
  CHECK(launcher.tag == "mpi-launcher-x");
  CHECK(launcher.inner == "mpirun noticed");
}

TEST_CASE("platform lines of a tagged file have no envelope") {
  std::string head = "nodes gpu-n[1-3]\n";
  for (int i = 0; i < 8; ++i) head += "1: step 3\n2: step 3\n2: \n2:\n";
  const auto detector = EnvelopeDetector::from_head(head);
  CHECK(detector.tagged());
  CHECK(detector.kind() == EnvelopeKind::kSrun);
  CHECK(detector.peel("srun: error: n1: task 0: Killed").kind == EnvelopeKind::kNone);
  CHECK(detector.peel("2: ").tag == "2");
  CHECK(detector.peel("2: ").inner.empty());
  CHECK(detector.peel("2:").inner.empty());
}

TEST_CASE("plain logs have no envelope") {
  for (const std::string_view line :
       {"step 12 loss 0.5", "2026-03-05 14:05:42,123 INFO train: step 12",
        "I0305 14:05:42.120000    7 a.cc:1] x", "2026-03-05T14:05:42Z started worker-0 attempt 0",
        "100/100 [====] - 12s", "my-job is running now", "{\"step\": 3, \"loss\": 0.5}",
        R"({"ts": 1772719542.5, "level": "INFO", "message": "x"})"}) {
    CAPTURE(line);
    CHECK(to_string(detector_for(line).kind()) == "none");
  }
  CHECK(EnvelopeDetector::from_head("").kind() == EnvelopeKind::kNone);
  CHECK(EnvelopeDetector::from_head("\n\n").peel("x").inner == "x");
}

}  // namespace tfpm
