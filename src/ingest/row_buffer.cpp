#include "ingest/row_buffer.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/text.h"

namespace tfpm {
namespace {

// Names are string literals of this process: their addresses are packed, not their texts.
// Of one value in the packed form; the order of Value's alternatives.
enum class Tag : char { kNull, kInteger, kReal, kText, kReference };

template <typename T>
void put(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
T get(std::string_view& in) {
  T value;
  std::memcpy(&value, in.data(), sizeof value);
  in.remove_prefix(sizeof value);
  return value;
}

void pack(const Value& value, std::string& out) {
  out += static_cast<char>(value.index());
  if (const auto* i = std::get_if<std::int64_t>(&value)) {
    put(out, *i);
  } else if (const auto* d = std::get_if<double>(&value)) {
    put(out, *d);
  } else if (const auto* s = std::get_if<std::string>(&value)) {
    put(out, static_cast<std::uint64_t>(s->size()));
    out += *s;
  } else if (const auto* r = std::get_if<RowRef>(&value)) {
    put(out, *r);  // its table is a string literal of this process
  }
}

Value unpack_value(std::string_view& in) {
  switch (get<Tag>(in)) {
    case Tag::kNull:
      break;
    case Tag::kInteger:
      return get<std::int64_t>(in);
    case Tag::kReal:
      return get<double>(in);
    case Tag::kText: {
      const auto size = static_cast<std::size_t>(get<std::uint64_t>(in));
      std::string text(in.substr(0, size));
      in.remove_prefix(size);
      return text;
    }
    case Tag::kReference:
      return get<RowRef>(in);
  }
  return null_value();
}

bool same_literal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.data() == b.data() || a == b);
}

}  // namespace

std::int64_t& RowBuffer::count_of(std::string_view table) {
  auto count = std::find_if(counts_.begin(), counts_.end(),
                            [&](const auto& entry) { return entry.first == table; });
  if (count == counts_.end()) count = counts_.insert(counts_.end(), {table, 0});
  return count->second;
}

void RowBuffer::pack_shape(std::string_view table, const std::vector<Field>& fields) {
  const auto is = [&](const Shape& shape) {
    return same_literal(shape.table, table) &&
           std::equal(fields.begin(), fields.end(), shape.columns.begin(), shape.columns.end(),
                      [](const Field& f, std::string_view c) { return same_literal(f.column, c); });
  };
  if (last_shape_ >= shapes_.size() || !is(shapes_[last_shape_])) {
    const auto found = std::find_if(shapes_.begin(), shapes_.end(), is);
    last_shape_ = static_cast<std::size_t>(found - shapes_.begin());
  }
  put(packed_, static_cast<std::uint32_t>(older_shapes_ + last_shape_));
  if (last_shape_ < shapes_.size()) return;
  Shape& shape = shapes_.emplace_back();
  shape.table = table;
  shape.columns.reserve(fields.size());
  for (const Field& f : fields) shape.columns.push_back(f.column);
  put(packed_, table);
  put(packed_, static_cast<std::uint32_t>(fields.size()));
  for (const Field& f : fields) put(packed_, f.column);
}

void RowBuffer::problem(Problem problem) {
  constexpr std::size_t kMaxDetail = 4000;
  problem.detail = clean_utf8(problem.detail, kMaxDetail);
  problems_.push_back(std::move(problem));
}

RowRef RowBuffer::add(std::string_view table, std::vector<Field> fields) {
  pack_shape(table, fields);
  for (const Field& field : fields) pack(field.value, packed_);
  return {table, count_of(table)++};
}

void RowBuffer::append(std::vector<Row> rows) {
  const auto before = counts_;
  const auto base = [&](std::string_view table) {
    const auto found = std::find_if(before.begin(), before.end(),
                                    [&](const auto& entry) { return entry.first == table; });
    return found == before.end() ? 0 : found->second;
  };
  for (Row& row : rows) {
    for (Field& field : row.fields) {
      if (auto* ref = std::get_if<RowRef>(&field.value)) ref->index += base(ref->table);
    }
    add(row.table, std::move(row.fields));
  }
}

Status RowBuffer::for_each(const std::function<Status(Row&)>& visit) const {
  std::vector<Shape> shapes;
  const auto unpack = [&](std::string_view packed) -> Status {
    while (!packed.empty()) {
      const std::size_t number = get<std::uint32_t>(packed);
      if (number == shapes.size()) {
        Shape& shape = shapes.emplace_back();
        shape.table = get<std::string_view>(packed);
        shape.columns.resize(get<std::uint32_t>(packed));
        for (std::string_view& column : shape.columns) column = get<std::string_view>(packed);
      }
      Row row{shapes[number].table, {}};
      row.fields.reserve(shapes[number].columns.size());
      for (const std::string_view column : shapes[number].columns)
        row.fields.push_back({column, unpack_value(packed)});
      TFPM_RETURN_IF_ERROR(visit(row));
    }
    return ok_status();
  };
  for (const SpillFile::Extent& extent : spilled_) {
    const Result<std::string> packed = file_->read(extent);
    if (!packed.ok()) return packed.status();
    TFPM_RETURN_IF_ERROR(unpack(*packed));
  }
  return unpack(packed_);
}

std::vector<Row> RowBuffer::rows() const {
  std::vector<Row> all;
  const Status status = for_each([&](Row& row) {
    all.push_back(std::move(row));
    return ok_status();
  });
  return status.ok() ? all : std::vector<Row>();
}

void RowBuffer::trim() {
  packed_.shrink_to_fit();
  older_shapes_ += shapes_.size();
  std::vector<Shape>().swap(shapes_);
}

Status RowBuffer::spill(SpillFile& file) {
  const Result<SpillFile::Extent> extent = file.write(packed_);
  if (!extent.ok()) return extent.status();
  file_ = &file;
  spilled_.push_back(*extent);
  std::string().swap(packed_);  // an assignment would keep the memory
  return ok_status();
}

}  // namespace tfpm
