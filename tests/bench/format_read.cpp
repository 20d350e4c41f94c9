// format_read PARSER FILE: reads FILE with the parser of that name and drops its rows. Two more
// read it as a profile: `wire` stops at the totals of each plane, which is what a reader has to
// know of every event, and `arena` parses it with generated code on an arena, the way most tools
// do.
#include <google/protobuf/arena.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "ingest/file_stream.h"
#include "parsers/parser.h"
#include "parsers/profile/space_reader.h"
#include "xspace.pb.h"

namespace {

class CountingSink : public tfpm::Sink {
 public:
  tfpm::RowRef add(std::string_view table, std::vector<tfpm::Field>) override {
    return {table, static_cast<std::int64_t>(rows_++)};
  }
  void problem(tfpm::Problem) override { ++problems_; }
  void set_lines(std::uint64_t) override {}
  std::size_t rows() const { return rows_; }
  std::size_t problems() const { return problems_; }

 private:
  std::size_t rows_ = 0, problems_ = 0;
};

int read_with_parser(const std::string& name, const std::string& path) {
  for (const auto& parser : tfpm::make_all_parsers()) {
    if (parser->name() != name) continue;
    auto in = tfpm::open_file_stream(path);
    CountingSink sink;
    if (!in.ok() || !parser->parse({path, {}}, **in, sink).ok()) return 1;
    std::printf("%zu rows, %zu problems\n", sink.rows(), sink.problems());
    return 0;
  }
  return 2;
}

int read_through_window(const std::string& path) {
  auto in = tfpm::open_file_stream(path);
  if (!in.ok()) return 1;
  tfpm::SpaceReader reader(**in);
  std::int64_t self = 0;
  reader.read([&](const tfpm::Plane& plane) {
    for (const tfpm::EventTotals& t : plane.totals()) self += t.self;
  });
  std::printf("%llu events\n", static_cast<unsigned long long>(reader.events()));
  return self > 0 ? 0 : 1;
}

int read_on_arena(const std::string& path) {
  auto in = tfpm::open_file_stream(path);
  std::vector<char> bytes(std::filesystem::file_size(path));
  std::size_t filled = 0;
  while (in.ok() && filled < bytes.size()) {
    const auto got = (*in)->read({bytes.data() + filled, bytes.size() - filled});
    if (!got.ok() || *got == 0) break;
    filled += *got;
  }
  google::protobuf::Arena arena;
  auto* space = google::protobuf::Arena::CreateMessage<tfpm_bench::XSpace>(&arena);
  if (!space->ParseFromArray(bytes.data(), static_cast<int>(filled))) return 1;
  std::printf("%d planes\n", space->planes_size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: format_read PARSER|wire|arena FILE\n", stderr);
    return 2;
  }
  const std::string name = argv[1];
  if (name == "wire") return read_through_window(argv[2]);
  return name == "arena" ? read_on_arena(argv[2]) : read_with_parser(name, argv[2]);
}
