// tfevents: TensorBoard event files of TensorFlow 1 and 2 (formats.md 4).
#include <memory>
#include <string>

#include "parsers/detail/event_file.h"
#include "parsers/detail/owner.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

// The task of the folder or host an event file is named after. Its own name is no hint: every
// writer's begins alike.
std::string owner_of(std::string_view path, const EventFileName& name) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) {
    if (auto task = task_from_name(path.substr(0, slash))) return *task;
  }
  return task_from_name(name.host).value_or(std::string());
}

class TfeventsParser : public Parser {
 public:
  std::string_view name() const override { return "tfevents"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    const bool named = input.path.find(".tfevents.") != std::string_view::npos;
    const bool versioned = head.substr(0, 200).find("brain.Event:") != std::string_view::npos;
    if (TfRecordReader::looks_like(head)) return versioned ? 95 : named ? 80 : 0;
    // An empty or torn event file still is one by its name.
    return named ? 60 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    TfRecordReader reader(in);
    EventFileName name = parse_event_file_name(member.path);
    std::string owner = owner_of(member.path, name);
    EventFile file(std::move(name), std::move(owner));
    TfRecord record;
    while (reader.next(record)) file.add(record);
    file.emit(sink);
    reader.report(sink, "tfevents");
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_tfevents_parser() {
  return std::make_unique<TfeventsParser>();
}

}  // namespace tfpm
