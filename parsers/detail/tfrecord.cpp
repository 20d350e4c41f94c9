#include "parsers/detail/tfrecord.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "parsers/detail/crc32c.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr std::size_t kHeader = 12;
constexpr std::size_t kFooter = 4;
constexpr std::size_t kReadStep = std::size_t{128} << 10;
constexpr std::size_t kMaxIncidents = 16;
// A length is believed only up to here while looking for the next record.
constexpr std::uint64_t kPlausible = std::uint64_t{1} << 30;

bool header_fits(std::string_view bytes) {
  return crc32c_mask(crc32c(bytes.substr(0, 8))) == load_u32le(bytes.substr(8));
}

}  // namespace

bool TfRecordReader::looks_like(std::string_view head) {
  return head.size() >= kHeader && header_fits(head.substr(0, kHeader));
}

bool TfRecordReader::fill(std::size_t n) {
  while (!eof_ && end_ - begin_ < n) {
    make_room(n);
    const Result<std::size_t> got = in_.read({buffer_.data() + end_, kReadStep});
    if (!got.ok()) note(Fault::kMedium, base_ + end_ - begin_, 0);
    if (!got.ok() || *got == 0) eof_ = true;
    end_ += got.ok() ? *got : 0;
  }
  return end_ - begin_ >= n;
}

// What is left moves to the front, so that there is room behind it, and so that it ends at an
// aligned place: the kernel's copy to one that is not was measured at a sixth of its speed.
void TfRecordReader::make_room(std::size_t n) {
  constexpr std::size_t kAlign = 4096;
  const std::size_t left = end_ - begin_;
  const std::size_t space = left + std::max(n, kReadStep) + kReadStep + 2 * kAlign;
  std::vector<char> larger;
  if (buffer_.size() < space) larger.resize(2 * space);
  std::vector<char>& to = larger.empty() ? buffer_ : larger;
  const auto address = reinterpret_cast<std::uintptr_t>(to.data()) + left;
  const std::size_t begin = (kAlign - address % kAlign) % kAlign;
  if (left > 0) std::memmove(to.data() + begin, buffer_.data() + begin_, left);
  if (!larger.empty()) buffer_ = std::move(larger);
  begin_ = begin;
  end_ = begin + left;
}

std::string_view TfRecordReader::at_cursor() const {
  return std::string_view(buffer_.data() + begin_, end_ - begin_);
}

void TfRecordReader::advance(std::size_t n) {
  begin_ += n;
  base_ += n;
}

void TfRecordReader::note(Fault fault, std::uint64_t offset, std::uint64_t bytes) {
  ++incidents_seen_;
  if (incidents_.size() < kMaxIncidents) incidents_.push_back({fault, offset, bytes});
}

bool TfRecordReader::next(TfRecord& out) {
  while (true) {
    if (!need(kHeader)) {
      const std::size_t left = end_ - begin_;
      if (left > 0) note(Fault::kTruncatedTail, base_, left);
      advance(left);
      return false;
    }
    if (!header_fits(at_cursor().substr(0, kHeader))) {
      if (!resync()) return false;
      continue;
    }
    const std::uint64_t length = load_u64le(at_cursor());
    if (length > kMaxRecord) {
      if (!skip_oversized(length)) return false;
      continue;
    }
    const auto size = static_cast<std::size_t>(length);
    if (!need(kHeader + size + kFooter)) {
      const std::size_t left = end_ - begin_;
      note(Fault::kTruncatedTail, base_, left);
      advance(left);
      return false;
    }
    const std::string_view data = at_cursor().substr(kHeader, size);
    const std::uint64_t offset = base_;
    const bool intact = crc32c_mask(crc32c(data)) == load_u32le(at_cursor().substr(kHeader + size));
    advance(kHeader + size + kFooter);
    if (!intact) {
      note(Fault::kCorruptRecord, offset, size);
      continue;
    }
    ++records_;
    out = {data, offset};
    return true;
  }
}

// Drops a record that is too large to hold; what it says is not needed.
bool TfRecordReader::skip_oversized(std::uint64_t length) {
  note(Fault::kOversized, base_, length);
  std::uint64_t left =
      length > UINT64_MAX - kHeader - kFooter ? UINT64_MAX : length + kHeader + kFooter;
  while (left > 0) {
    if (!need(1)) {
      note(Fault::kTruncatedTail, base_, 0);
      return false;
    }
    const std::uint64_t take = std::min<std::uint64_t>(left, end_ - begin_);
    advance(static_cast<std::size_t>(take));
    left -= take;
  }
  return true;
}

// Looks for the next place where eight bytes and a checksum fit.
bool TfRecordReader::resync() {
  const std::uint64_t start = base_;
  bool zeros = true;
  while (need(kHeader)) {
    const std::string_view window = at_cursor();
    if (window[0] != '\0') zeros = false;
    if (header_fits(window.substr(0, kHeader)) && load_u64le(window) <= kPlausible) {
      note(Fault::kCorruptFraming, start, base_ - start);
      return true;
    }
    advance(1);
  }
  const std::uint64_t lost = base_ + (end_ - begin_) - start;
  const std::string_view rest = at_cursor();
  zeros = zeros && rest.find_first_not_of('\0') == std::string_view::npos;
  note(zeros ? Fault::kZeroTail : Fault::kCorruptFraming, start, lost);
  advance(end_ - begin_);
  return false;
}

void TfRecordReader::report(Sink& sink, std::string_view kind) const {
  const bool events = kind == "tfevents";
  for (const Incident& i : incidents_) {
    Problem p;
    p.byte_offset = i.offset;
    p.severity = ProblemSeverity::kDataLoss;
    switch (i.fault) {
      case Fault::kTruncatedTail:
        // Normal for a killed writer: up to two minutes of buffered events.
        p.severity = ProblemSeverity::kNotice;
        p.code = events ? "tfevents-truncated-tail" : "tfdbg-truncated-tail";
        p.detail = fmt::format(
            "ends inside a record: the last {} bytes are unfinished, as a killed writer leaves "
            "them; {} records before are intact",
            i.bytes, records_);
        break;
      case Fault::kCorruptRecord:
        p.code = events ? "tfevents-corrupt-record" : "tfdbg-corrupt-record";
        p.detail = fmt::format(
            "a record of {} bytes does not have its stored checksum; it was skipped", i.bytes);
        break;
      case Fault::kCorruptFraming:
        p.code = events ? "tfevents-corrupt-framing" : "tfdbg-corrupt-framing";
        p.detail = fmt::format(
            "{} bytes are no record; reading went on behind them. Several such gaps mean several "
            "writers in one file",
            i.bytes);
        break;
      case Fault::kZeroTail:
        p.code = events ? "tfevents-zero-tail" : "tfdbg-zero-tail";
        p.detail = fmt::format(
            "the last {} bytes are zero: a power loss, or space reserved and never written",
            i.bytes);
        break;
      case Fault::kOversized:
        p.severity = ProblemSeverity::kNotice;
        p.code = events ? "tfevents-oversized-record" : "tfdbg-oversized-record";
        p.detail = fmt::format("a record of {} bytes was skipped unread", i.bytes);
        break;
      case Fault::kMedium:
        p.code = events ? "tfevents-read-error" : "tfdbg-read-error";
        p.detail = fmt::format("reading failed; {} records before are intact", records_);
        break;
    }
    sink.problem(std::move(p));
  }
  if (incidents_seen_ > incidents_.size()) {
    sink.problem({events ? "tfevents-more-damage" : "tfdbg-more-damage", ProblemSeverity::kDataLoss,
                  std::nullopt,
                  fmt::format("{} further damaged places", incidents_seen_ - incidents_.size())});
  }
}

}  // namespace tfpm
