// Cuts objects out of a JSON or YAML text while it is read: a list of any length then needs the
// memory of its largest object, and one that is cut off still gives what stands before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/detail/line_reader.h"

namespace tfpm {

// One object as text of its own, and where it stands in the member.
struct ObjectPiece {
  std::string_view text;  // valid during the visit
  std::uint64_t line = 1;
  std::uint64_t byte_offset = 0;  // of the text
  std::uint64_t line_offset = 0;  // of the line it begins in
};
using VisitPiece = std::function<void(const ObjectPiece&)>;

// Collects the text of one piece; longer ones than kMaxObject are counted instead.
class PieceBuffer {
 public:
  // Read as a value, text takes up to 15 times its size.
  static constexpr std::size_t kMaxObject = std::size_t{3} << 20;

  // Positions are those of ObjectPiece.
  void begin(std::uint64_t line, std::uint64_t byte_offset, std::uint64_t line_offset);
  void append(std::string_view text);
  void drop() { open_ = false; }
  // Visits the piece, if there is one, and closes it.
  void finish(const VisitPiece& visit);
  bool open() const { return open_; }
  std::uint64_t skipped() const { return skipped_; }

 private:
  std::string text_;
  ObjectPiece place_;
  std::uint64_t skipped_ = 0;
  bool open_ = false, over_ = false;
};

// Objects of an array, of the array `items` of an object, or the object itself, one after another.
class JsonSplitter {
 public:
  explicit JsonSplitter(VisitPiece visit) : visit_(std::move(visit)) {}
  void add(const TextLine& line);
  // A part of a line, its line end included where it has one; `offset` is the part's own.
  void add_part(const TextLine& part);
  // True when the text ended outside of every object and held nothing else.
  bool complete() const { return depth_ == 0 && !in_string_ && !broken_; }
  std::uint64_t skipped() const { return piece_.skipped(); }  // too large

 private:
  void add_structure(char c, const TextLine& line, std::size_t at);
  void open(char c, const TextLine& line, std::size_t at);
  void close();

  VisitPiece visit_;
  PieceBuffer piece_;
  std::string key_;   // last string in the outermost object
  int depth_ = 0;     // of brackets
  int elements_ = 0;  // depth of the array whose elements are pieces; 0 = none, -1 = it has ended
  bool in_string_ = false, escaped_ = false, broken_ = false;
};

// Documents, and the elements of a document's `items` as lists of one element.
class YamlSplitter {
 public:
  explicit YamlSplitter(VisitPiece visit) : visit_(std::move(visit)) {}
  void add(const TextLine& line);
  void finish() { piece_.finish(visit_); }
  std::uint64_t skipped() const { return piece_.skipped(); }

 private:
  VisitPiece visit_;
  PieceBuffer piece_;
  std::size_t indent_ = 0;  // of the list's dashes, once known
  bool in_items_ = false, indent_known_ = false, behind_items_ = false;
};

}  // namespace tfpm
