// State and counters of network interfaces: ip -s link, ifconfig, ethtool (-S), ibstat,
// ibv_devinfo, perfquery, netstat -s, nstat (log-formats.md 10). Fed line by line, several outputs
// one after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/detail/line_reader.h"
#include "parsers/parser.h"

namespace tfpm {

// Columns of schema `network_link`.
struct NetworkLink {
  std::uint64_t line = 0;
  std::uint64_t byte_offset = 0;
  std::string_view tool;
  std::string name;
  std::optional<std::string> layer;
  std::optional<bool> up;
  std::string state;
  std::optional<std::int64_t> speed_mbit, mtu, rx_errors, rx_dropped, tx_errors, tx_dropped;
};

class LinkReader {
 public:
  static constexpr std::size_t kMaxRows = 20'000;  // links and counters of one source

  LinkReader(std::optional<std::string> owner, Sink& sink)
      : owner_(std::move(owner)), sink_(sink) {}
  // True when the line belongs to the output of one of the tools.
  bool add(const TextLine& line);
  void finish();

 private:
  enum class Section {
    kNone,
    kIp,
    kIfconfig,
    kEthtool,
    kStatistics,
    kIbstat,
    kIbv,
    kPerfquery,
    kNetstat,
    kNstat
  };

  bool add_head(const TextLine& line);
  bool add_ip_head(const TextLine& line);
  bool add_infiniband_head(const TextLine& line);
  bool add_detail(const TextLine& line);
  bool ip_detail(std::string_view text);
  void ifconfig_detail(std::string_view text);
  void ethtool_detail(std::string_view text);
  bool ibstat_detail(const TextLine& line, std::string_view text);
  bool ibv_detail(const TextLine& line, std::string_view text);
  bool counter_detail(const TextLine& line, std::string_view text);
  bool netstat_detail(const TextLine& line, std::string_view text);
  void start(Section section, std::string_view tool, std::string name, const TextLine& line);
  void counter(std::string_view tool, std::string_view counter, std::int64_t value,
               const TextLine& line);

  std::optional<std::string> owner_;
  Sink& sink_;
  Section section_ = Section::kNone;
  std::optional<NetworkLink> link_;
  std::string adapter_;    // of the InfiniBand port, or interface of a statistics block
  std::string_view next_;  // "RX" or "TX": whose numbers the next line holds
  std::string columns_;    // heading of that line
  std::size_t rows_ = 0;
};

}  // namespace tfpm
