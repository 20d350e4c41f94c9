// Binary files of TensorFlow checkpoints: indexes, data shards, V1 files, remains of saves;
// models that Keras keeps in one file.
//
// A checkpoint is several files, and only together they say anything, so this parser claims the
// members and emits nothing: checkpoint_set.h collects their content and judges it.
#include "parsers/checkpoint/keras_file.h"
#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/state_file.h"
#include "parsers/checkpoint/weight_map.h"
#include "parsers/detail/v1_table.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

class CheckpointParser final : public Parser {
 public:
  std::string_view name() const override { return "checkpoint"; }

  SniffScore sniff(const SniffInput& input) const override {
    constexpr SniffScore kTable = 80;   // a sorted table begins like this
    constexpr SniffScore kByName = 50;  // data shards have no magic
    constexpr SniffScore kMaybe = 30;   // a damaged index, or some other program's
    constexpr SniffScore kKeras = 60;   // a model in one file, by name and signature
    const std::string_view head(input.head.data(), input.head.size());
    if (is_keras_file(input.path, head, false) || is_weight_map(input.path, head)) return kKeras;
    if (table_kind_by_head(head) != TableKind::kNone) return kTable;
    switch (classify_checkpoint_file(input.path).kind) {
      case CheckpointFile::kShard:
      case CheckpointFile::kTempPart:
      case CheckpointFile::kTempState:
        return kByName;
      case CheckpointFile::kIndex:
        return kMaybe;
      case CheckpointFile::kV1Shard:
      case CheckpointFile::kStateFile:
      case CheckpointFile::kNone:
        break;
    }
    return 0;
  }

  Status parse(const MemberInfo&, ByteStream&, Sink&) const override { return ok_status(); }
};

}  // namespace

std::unique_ptr<Parser> make_checkpoint_parser() {
  return std::make_unique<CheckpointParser>();
}

}  // namespace tfpm
