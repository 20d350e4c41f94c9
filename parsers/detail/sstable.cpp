#include "parsers/detail/sstable.h"

#include <fmt/format.h>

#include <string>

#include "parsers/detail/crc32c.h"
#include "parsers/detail/snappy_block.h"
#include "parsers/detail/sstable_block.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr std::size_t kTrailerSize = 5;  // type byte and checksum behind every block
constexpr std::size_t kFooterHandles = kTableFooterSize - kTableMagic.size();

struct Handle {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // without the trailer
};

std::optional<Handle> take_handle(std::string_view& bytes) {
  const std::optional<std::uint64_t> offset = take_varint(bytes);
  const std::optional<std::uint64_t> size = offset ? take_varint(bytes) : std::nullopt;
  if (!size) return {};
  return Handle{*offset, *size};
}

class TableReader {
 public:
  TableReader(std::string_view file, const EntryVisitor& visit) : file_(file), visit_(visit) {}

  TableReading run() {
    std::optional<Handle> index = read_footer();
    std::string index_storage;
    std::optional<std::string_view> index_block;
    if (index) index_block = read_block(*index, "index block", index_storage);
    if (!index_block) {
      salvage();
      return std::move(out_);
    }
    out_.has_footer = true;
    read_data_blocks(*index_block, index->offset);
    return std::move(out_);
  }

 private:
  void fault(std::uint64_t offset, std::string detail) {
    if (out_.faults.size() < kMaxTableFaults) out_.faults.push_back({offset, std::move(detail)});
  }

  std::optional<Handle> read_footer() {
    if (!has_table_magic(file_)) {
      describe_missing_footer();
      return {};
    }
    std::string_view handles = file_.substr(file_.size() - kTableFooterSize, kFooterHandles);
    std::optional<Handle> meta = take_handle(handles);
    std::optional<Handle> index = meta ? take_handle(handles) : std::nullopt;
    if (!index) fault(file_.size() - kTableFooterSize, "the footer's block handles do not parse");
    return index;
  }

  void describe_missing_footer() {
    const std::size_t magic = file_.rfind(kTableMagic);
    const std::size_t last = file_.find_last_not_of('\0');
    if (file_.empty()) {
      fault(0, "the file is empty");
    } else if (magic != std::string_view::npos && magic + kTableMagic.size() >= kTableFooterSize) {
      const std::size_t end = magic + kTableMagic.size();
      fault(end, fmt::format("{} bytes follow the end of the table at byte {}", file_.size() - end,
                             end));
    } else if (last == std::string_view::npos) {
      fault(0, fmt::format("all {} bytes are zero: never written, or lost with the disk cache",
                           file_.size()));
    } else if (file_.size() - last > kTableFooterSize) {
      fault(last + 1, fmt::format("the last {} bytes are zero: written before a crash, never "
                                  "reached the disk",
                                  file_.size() - last - 1));
    } else {
      fault(file_.size(),
            fmt::format("the table ends at byte {} without its footer: cut short", file_.size()));
    }
  }

  // The decompressed content of a block: a view of the file, or of `storage`.
  std::optional<std::string_view> read_block(const Handle& handle, std::string_view what,
                                             std::string& storage) {
    if (handle.offset > file_.size() || file_.size() - handle.offset < kTrailerSize ||
        handle.size > file_.size() - handle.offset - kTrailerSize) {
      fault(handle.offset, fmt::format("{} of {} bytes at {} lies outside the file of {} bytes",
                                       what, handle.size, handle.offset, file_.size()));
      return {};
    }
    const std::string_view stored = file_.substr(handle.offset, handle.size);
    const std::string_view checked = file_.substr(handle.offset, handle.size + 1);
    const std::uint32_t expected = load_u32le(file_.substr(handle.offset + handle.size + 1));
    const std::uint32_t found = crc32c_mask(crc32c(checked));
    if (expected != found) {
      fault(handle.offset, fmt::format("{} of {} bytes at {} has checksum {:08x}, {:08x} is stored",
                                       what, handle.size, handle.offset, found, expected));
      return {};
    }
    const char type = checked.back();
    if (type == 0) return stored;
    std::optional<std::string> plain;
    if (type == 1) plain = snappy_uncompress(stored);
    if (!plain) {
      fault(handle.offset, fmt::format("{} at {} does not decompress (type {})", what,
                                       handle.offset, static_cast<int>(type)));
      return {};
    }
    storage = std::move(*plain);
    return std::string_view(storage);
  }

  void read_data_blocks(std::string_view index_block, std::uint64_t limit) {
    const std::optional<std::string_view> area = entry_area(index_block);
    BlockEntries handles(area.value_or(std::string_view()));
    std::uint64_t end = 0;  // blocks follow each other: nothing may be visited twice
    bool go_on = area.has_value();
    while (go_on && handles.next()) {
      ++out_.blocks;
      std::string_view value = handles.value();
      const std::optional<Handle> handle = take_handle(value);
      if (!handle || handle->offset < end || handle->offset >= limit) {
        ++out_.damaged;
        fault(limit,
              fmt::format("entry {} of the index block points to no data block", out_.blocks - 1));
        continue;
      }
      go_on = visit_block(*handle);
      end = handle->offset + std::min(handle->size, file_.size());
    }
    if (!area || !handles.ok()) {
      ++out_.damaged;
      fault(limit, "the index block's entries do not parse");
    }
  }

  bool visit_block(const Handle& handle) {
    std::string storage;
    const auto block = read_block(handle, "data block", storage);
    const auto area = block ? entry_area(*block) : std::nullopt;
    if (!area) {
      ++out_.damaged;
      if (block) fault(handle.offset, "a data block's restart array does not fit into it");
      return true;
    }
    BlockEntries entries(*area);
    while (entries.next()) {
      if (!in_order(entries.key())) {
        ++out_.damaged;
        fault(handle.offset,
              "keys are not in order though the checksum is good: not written by "
              "TensorFlow's table builder");
        return true;
      }
      if (!visit_(entries.key(), entries.value())) return false;
    }
    if (!entries.ok()) {
      ++out_.damaged;
      fault(handle.offset,
            "an entry does not parse though the checksum is good: a writer's fault "
            "or a changed file");
    }
    return true;
  }

  bool in_order(std::string_view key) {
    const bool good = first_ || key > last_key_;
    first_ = false;
    last_key_ = key;
    return good;
  }

  // The first data block starts at 0 and its entries delimit themselves.
  void salvage() {
    BlockEntries entries(file_);
    while (entries.next() && in_order(entries.key())) {
      if (entries.key().empty() && out_.salvaged > 0) break;
      ++out_.salvaged;
      if (!visit_(entries.key(), entries.value())) break;
    }
  }

  std::string_view file_;
  const EntryVisitor& visit_;
  TableReading out_;
  bool first_ = true;
  std::string last_key_;
};

}  // namespace

bool has_table_magic(std::string_view file) {
  return file.size() >= kTableFooterSize && file.ends_with(kTableMagic);
}

TableReading read_table(std::string_view file, const EntryVisitor& visit) {
  return TableReader(file, visit).run();
}

}  // namespace tfpm
