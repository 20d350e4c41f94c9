// Interfaces and ports in files of their own: ip -s link, ifconfig, ethtool, ibstat, ibv_devinfo,
// perfquery, netstat -s, nstat (log-formats.md 10).
#include <memory>

#include "parsers/detail/line_share.h"
#include "parsers/detail/link_reader.h"
#include "parsers/detail/null_sink.h"
#include "parsers/detail/owner.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

class NetworkLinksParser : public Parser {
 public:
  std::string_view name() const override { return "network-links"; }

  SniffScore sniff(const SniffInput& input) const override {
    NullSink sink;
    LinkReader reader(std::nullopt, sink);
    const LineShare share =
        count_lines(input, 1000, [&](const TextLine& line) { return reader.add(line); });
    return share.hits >= 2 && share.is_whole() ? 82 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    LinkReader reader(owner_from_path(member.path), sink);
    LineReader lines(in);
    while (const auto line = lines.next()) reader.add(*line);
    reader.finish();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_network_links_parser() {
  return std::make_unique<NetworkLinksParser>();
}

}  // namespace tfpm
