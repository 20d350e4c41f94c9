#include <catch2/catch.hpp>
#include <string>

#include "parsers/detail/owner.h"
#include "parsers/detail/tf_config.h"

namespace tfpm {

TEST_CASE("TF_CONFIG in log lines") {
  std::size_t where = 0;
  const auto plain = find_tf_config(
      R"(TF_CONFIG={"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}})",
      &where);
  REQUIRE(plain);
  CHECK(where == 10);
  CHECK(to_string(plain->form) == "log");
  CHECK(plain->valid_json);
  CHECK(plain->task_type == "worker");
  CHECK(plain->task_index == 1);
  CHECK(plain->cluster == "worker=a:1,b:1");

  const auto repr = find_tf_config(
      "TF_CONFIG environment variable: {'cluster': {'chief': ['c:1'], 'ps': ['p:1']}, 'task': "
      "{'type': 'ps', 'index': 0}, 'x': None, 'y': True}");
  REQUIRE(repr);
  CHECK(to_string(repr->form) == "repr");
  CHECK(repr->valid_json);
  CHECK(repr->cluster == "chief=c:1|ps=p:1");

  const auto strategy = find_tf_config(
      "MultiWorkerMirroredStrategy with cluster_spec = {'worker': ['a:1', 'b:1']}, task_type = "
      "'worker', task_id = 1, num_workers = 2");
  REQUIRE(strategy);
  CHECK(strategy->task_type == "worker");
  CHECK(strategy->task_index == 1);
  CHECK(strategy->cluster == "worker=a:1,b:1");

  const auto servers = find_tf_config(
      "ParameterServerStrategyV2 is now connecting to cluster with cluster_spec: "
      "ClusterSpec({'chief': ['c:1'], 'ps': ['p:1'], 'worker': ['a:1', 'b:1']})");
  REQUIRE(servers);
  CHECK_FALSE(servers->task_type);
  CHECK(servers->cluster == "chief=c:1|ps=p:1|worker=a:1,b:1");
}

TEST_CASE("TF_CONFIG through layers of quoting") {
  const auto exported =
      find_tf_config(R"(+ export 'TF_CONFIG={"task": {"type": "chief", "index": 0}}')");
  REQUIRE(exported);
  CHECK(exported->task_type == "chief");
  const auto escaped = find_tf_config(
      R"({"level": "INFO", "msg": "TF_CONFIG={\"task\": {\"type\": \"chief\", \"index\": 0}}"})");
  REQUIRE(escaped);
  CHECK(escaped->valid_json);
  CHECK(escaped->task_type == "chief");
  const auto shell =
      find_tf_config(R"(TF_CONFIG='{"task": {"type": "chief", "index": 0}}' python train.py)");
  REQUIRE(shell);
  CHECK(shell->valid_json);
  CHECK(shell->text == R"('{"task": {"type": "chief", "index": 0}}')");
}

TEST_CASE("lines that only name TF_CONFIG hold none") {
  CHECK_FALSE(find_tf_config("TF_CONFIG is not set, training alone"));
  CHECK_FALSE(find_tf_config("TF_CONFIG="));
  CHECK_FALSE(find_tf_config("TF_CONFIG=$TF_CONFIG"));
  CHECK_FALSE(find_tf_config("cluster_spec = {}"));
  CHECK_FALSE(find_tf_config("nothing"));
}

TEST_CASE("broken TF_CONFIG: told, and read as far as possible") {
  const TfConfig quotes =
      parse_tf_config("{'task': {'type': 'worker', 'index': 2}}", TfConfigForm::kEnv);
  CHECK_FALSE(quotes.valid_json);
  CHECK(quotes.error.find("column 2") != std::string::npos);
  CHECK(quotes.task_index == 2);
  const TfConfig text =
      parse_tf_config(R"({"task": {"type": "worker", "index": "x1"}})", TfConfigForm::kFile);
  CHECK(text.valid_json);
  CHECK_FALSE(text.task_index);
  CHECK(text.task_index_text == "x1");
  CHECK_FALSE(text.error.empty());
  const TfConfig trailing = parse_tf_config(R"({"task": {}}})", TfConfigForm::kFile);
  CHECK_FALSE(trailing.valid_json);
  const TfConfig array = parse_tf_config("[1]", TfConfigForm::kFile);
  CHECK(array.valid_json);
  CHECK_FALSE(array.error.empty());
}

TEST_CASE("owners by path") {
  CHECK(owner_from_path("tf_config/worker-1.json") == "worker-1");
  CHECK(owner_from_path("env/ps-0.pip-freeze.txt") == "ps-0");
  CHECK(owner_from_path("stacks/worker-1.ps.txt") == "worker-1");
  CHECK(owner_from_path("pods/resnet-worker_12.log") == "worker-12");
  CHECK(owner_from_path("rank3/env.txt") == "rank-3");
  CHECK(owner_from_path("gpu-n2.dmesg.txt") == "gpu-n2");
  CHECK(owner_from_path("hosts/node17/dmesg.txt") == "node17");
  CHECK_FALSE(owner_from_path("env/pip-freeze.txt"));
  CHECK_FALSE(owner_from_path("kernel/dmesg"));
  CHECK_FALSE(owner_from_path("workertemp/notes.txt"));
}

}  // namespace tfpm
