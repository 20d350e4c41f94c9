#include "ingest/stack_keeper.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "parsers/detail/stack_reader.h"

namespace tfpm {

void StackKeeper::add(const Record& record) {
  Dump dump{std::string(record.text.substr(0, kMaxText)), record.place, record.marks};
  if (first_.size() < kFirst) {
    first_.push_back(std::move(dump));
    return;
  }
  last_.push_back(std::move(dump));
  if (last_.size() > kLast) last_.pop_front();
}

void StackKeeper::emit_dump(const Dump& dump, const std::optional<std::string>& owner, Sink& sink) {
  StackReader reader(owner, sink);
  const std::string_view text = dump.text;
  RecordPlace place = dump.place;
  auto mark = dump.marks.begin();
  for (std::size_t at = 0; at < text.size();) {
    for (; mark != dump.marks.end() && mark->begin <= at; ++mark) place = mark->place;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    reader.add(text.substr(at, end - at), place.line, place.offset);
    at = end + 1;
  }
  reader.finish();
}

void StackKeeper::emit(const std::optional<std::string>& owner, Sink& sink) const {
  for (const Dump& dump : first_) emit_dump(dump, owner, sink);
  for (const Dump& dump : last_) emit_dump(dump, owner, sink);
}

}  // namespace tfpm
