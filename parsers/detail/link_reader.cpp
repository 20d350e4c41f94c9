#include "parsers/detail/link_reader.h"

#include <algorithm>

#include "parsers/detail/line_share.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxName = 100;

// "eth0", "ens1f0np0@if7" and the like; the part behind '@' is the peer.
std::optional<std::string> interface_name(std::string_view word) {
  word = word.substr(0, word.find('@'));
  if (word.empty() || word.size() > 32 || !is_alpha(word[0])) return std::nullopt;
  const bool good = std::all_of(word.begin(), word.end(), [](char c) {
    return is_word(c) || c == '-' || c == '.' || c == ':';
  });
  return good ? std::optional(std::string(word)) : std::nullopt;
}

std::string_view word_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + key.size());
  return eat_token(rest);
}

// Counters worth a row when they are not zero: losses, faults and pauses, not traffic.
bool is_fault_counter(std::string_view name) {
  const std::string lower = to_lower(name);
  for (const std::string_view part :
       {"err",      "drop",    "discard", "pause",           "retrans", "symbol",     "down",
        "crc",      "timeout", "reset",   "overrun",         "missed",  "collision",  "recover",
        "exceeded", "cnp",     "ecn",     "out_of_sequence", "fail",    "constraint", "wait"}) {
    if (contains(lower, part)) return true;
  }
  return false;
}

// "Key: value" with the key's colon; both trimmed.
std::optional<std::pair<std::string_view, std::string_view>> key_value(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  return std::pair(trim(text.substr(0, colon)), trim(text.substr(colon + 1)));
}

}  // namespace

void LinkReader::finish() {
  if (!link_) return;
  const NetworkLink& l = *link_;
  if (++rows_ <= kMaxRows) {
    sink_.add(
        "network_link",
        {{"line", int_value(l.line)},
         {"byte_offset", int_value(l.byte_offset)},
         {"owner", optional_value(owner_)},
         {"tool", text_value(l.tool)},
         {"name", text_value(clean_utf8(l.name, kMaxName))},
         {"layer", optional_value(l.layer)},
         {"up", l.up ? int_value(*l.up ? 1 : 0) : null_value()},
         {"state", l.state.empty() ? null_value() : text_value(clean_utf8(l.state, kMaxName))},
         {"speed_mbit", optional_value(l.speed_mbit)},
         {"mtu", optional_value(l.mtu)},
         {"rx_errors", optional_value(l.rx_errors)},
         {"rx_dropped", optional_value(l.rx_dropped)},
         {"tx_errors", optional_value(l.tx_errors)},
         {"tx_dropped", optional_value(l.tx_dropped)}});
  }
  link_.reset();
}

void LinkReader::start(Section section, std::string_view tool, std::string name,
                       const TextLine& line) {
  finish();
  section_ = section;
  link_.emplace();
  link_->line = line.number;
  link_->byte_offset = line.offset;
  link_->tool = tool;
  link_->name = std::move(name);
  next_ = {};
}

void LinkReader::counter(std::string_view tool, std::string_view counter, std::int64_t value,
                         const TextLine& line) {
  if (value == 0 || !is_fault_counter(counter) || ++rows_ > kMaxRows) return;
  sink_.add("network_counter",
            {{"line", int_value(line.number)},
             {"byte_offset", int_value(line.offset)},
             {"owner", optional_value(owner_)},
             {"tool", text_value(tool)},
             {"name", adapter_.empty() ? null_value() : text_value(clean_utf8(adapter_, kMaxName))},
             {"counter", text_value(clean_utf8(counter, kMaxName))},
             {"value", Value(value)}});
}

bool LinkReader::add_infiniband_head(const TextLine& line) {
  std::string_view text = line.text;
  if (text.starts_with("CA '") && text.ends_with("'")) {
    finish();
    section_ = Section::kIbstat;
    adapter_ = std::string(text.substr(4, text.size() - 5));
    return true;
  }
  if (eat(text, "hca_id:")) {
    finish();
    section_ = Section::kIbv;
    adapter_ = std::string(trim(text));
    return true;
  }
  if (text.starts_with("# Port counters:") || text.starts_with("# Port extended counters:")) {
    finish();
    section_ = Section::kPerfquery;
    const std::string_view lid = word_after(text, "Lid ");
    adapter_ = "lid " + std::string(lid) + "/" + std::string(word_after(text, "port "));
    return true;
  }
  return false;
}

bool LinkReader::add_head(const TextLine& line) {
  std::string_view text = line.text;
  if (add_infiniband_head(line)) return true;
  if (text.starts_with("Settings for ") && text.ends_with(":")) {
    const auto name = interface_name(text.substr(13, text.size() - 14));
    if (!name) return false;
    start(Section::kEthtool, "ethtool", *name, line);
    adapter_ = *name;
    return true;
  }
  if (text == "NIC statistics:") {
    finish();
    section_ = Section::kStatistics;
    return true;
  }
  if (text == "Tcp:" || text == "TcpExt:" || text == "Udp:" || text == "Ip:" || text == "Icmp:") {
    finish();
    section_ = Section::kNetstat;
    adapter_.clear();
    return true;
  }
  if (text.starts_with("#kernel")) {
    finish();
    section_ = Section::kNstat;
    adapter_.clear();
    return true;
  }
  // "eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 9000"
  const std::size_t flags = text.find(": flags=");
  if (flags != std::string_view::npos) {
    const auto name = interface_name(text.substr(0, flags));
    if (!name) return false;
    start(Section::kIfconfig, "ifconfig", *name, line);
    link_->mtu = parse_int(word_after(text, " mtu "));
    link_->up = contains(text, "RUNNING");
    return true;
  }
  return add_ip_head(line);
}

// "2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT"
bool LinkReader::add_ip_head(const TextLine& line) {
  std::string_view text = line.text;
  if (eat_digits(text).empty() || !eat(text, ": ")) return false;
  const std::size_t colon = text.find(": <");
  const std::size_t close = text.find('>', colon);
  if (colon == std::string_view::npos || close == std::string_view::npos) return false;
  const auto name = interface_name(text.substr(0, colon));
  if (!name) return false;
  start(Section::kIp, "ip", *name, line);
  const std::string_view list = text.substr(colon + 3, close - colon - 3);
  link_->up = contains(list, "LOWER_UP") && !contains(list, "NO-CARRIER");
  link_->mtu = parse_int(word_after(text, " mtu "));
  link_->state = std::string(word_after(text, " state "));
  if (contains(list, "NO-CARRIER")) link_->state += " (NO-CARRIER)";
  return true;
}

// "RX:  bytes packets errors dropped  missed   mcast", then the numbers; older versions have no
// colon behind the numbers' names. `-s -s` adds "RX errors:" blocks, which say where errors come
// from.
bool LinkReader::ip_detail(std::string_view text) {
  if (text.starts_with("link/")) {
    if (text.starts_with("link/ether")) link_->layer = "ethernet";
    if (text.starts_with("link/infiniband")) link_->layer = "infiniband";
    if (text.starts_with("link/loopback")) link_->layer = "loopback";
    return true;
  }
  if (text.starts_with("RX:") || text.starts_with("TX:")) {
    next_ = text.starts_with("RX") ? "RX" : "TX";
    columns_ = std::string(text.substr(3));
    return true;
  }
  if (!next_.empty()) {
    const auto names = split_blanks(columns_);
    const auto values = split_blanks(text);
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
      const auto value = parse_int(values[i]);
      if (names[i] == "errors") (next_ == "RX" ? link_->rx_errors : link_->tx_errors) = value;
      if (names[i] == "dropped") (next_ == "RX" ? link_->rx_dropped : link_->tx_dropped) = value;
    }
    next_ = {};
  }
  return true;  // addresses, altnames, queues
}

void LinkReader::ifconfig_detail(std::string_view text) {
  if (text.starts_with("RX errors ")) {
    link_->rx_errors = parse_int(word_after(text, "errors "));
    link_->rx_dropped = parse_int(word_after(text, "dropped "));
  } else if (text.starts_with("TX errors ")) {
    link_->tx_errors = parse_int(word_after(text, "errors "));
    link_->tx_dropped = parse_int(word_after(text, "dropped "));
  } else if (text.starts_with("ether ")) {
    link_->layer = "ethernet";
  } else if (text.starts_with("infiniband ")) {
    link_->layer = "infiniband";
  } else if (text.starts_with("loop ")) {
    link_->layer = "loopback";
  }
}

void LinkReader::ethtool_detail(std::string_view text) {
  const auto pair = key_value(text);
  if (!pair) return;
  if (pair->first == "Speed" && pair->second.ends_with("Mb/s")) {
    link_->speed_mbit = parse_int(pair->second.substr(0, pair->second.size() - 4));
  } else if (pair->first == "Link detected") {
    link_->up = pair->second.starts_with("yes");
    link_->state = "Link detected: " + std::string(pair->second);
  }
  link_->layer = "ethernet";
}

bool LinkReader::ibstat_detail(const TextLine& line, std::string_view text) {
  if (text.starts_with("Port ") && text.ends_with(":") && !contains(text, "GUID")) {
    start(Section::kIbstat, "ibstat",
          adapter_ + "/" + std::string(trim(text.substr(5, text.size() - 6))), line);
    return true;
  }
  const auto pair = key_value(text);
  if (!pair || !link_) return pair.has_value();
  const auto& [key, value] = *pair;
  if (key == "State") {
    link_->state = std::string(value);
    link_->up = value == "Active";
  } else if (key == "Physical state") {
    link_->state += ", " + std::string(value);
    if (value != "LinkUp") link_->up = false;
  } else if (key == "Rate") {
    if (const auto rate = leading_decimal(value); rate && *rate >= 0 && *rate < 1e6) {
      link_->speed_mbit = static_cast<std::int64_t>(*rate * 1000);
    }
  } else if (key == "Link layer") {
    link_->layer = to_lower(value);
  }
  return true;
}

bool LinkReader::ibv_detail(const TextLine& line, std::string_view text) {
  const auto pair = key_value(text);
  if (!pair) return false;
  const auto& [key, value] = *pair;
  if (key == "port") {
    start(Section::kIbv, "ibv_devinfo", adapter_ + "/" + std::string(value), line);
  } else if (link_ && key == "state") {
    link_->state = std::string(value);
    link_->up = contains(value, "PORT_ACTIVE");
  } else if (link_ && key == "active_mtu") {
    link_->mtu = parse_int(value.substr(0, value.find(' ')));
  } else if (link_ && key == "link_layer") {
    link_->layer = to_lower(value);
  }
  return true;
}

// "     rx_discards_phy: 120" and "SymbolErrorCounter:..............0".
bool LinkReader::counter_detail(const TextLine& line, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  std::string_view value = text.substr(colon + 1);
  while (!value.empty() && (value[0] == '.' || value[0] == ' ')) value.remove_prefix(1);
  const auto number = parse_int(value);
  if (!number) return text.starts_with("PortSelect") || text.starts_with("CounterSelect");
  counter(section_ == Section::kPerfquery ? "perfquery" : "ethtool", trim(text.substr(0, colon)),
          *number, line);
  return true;
}

// "    1203 segments retransmitted", "    TCPLostRetransmit: 4"; nstat "TcpRetransSegs   1203 0.0".
bool LinkReader::netstat_detail(const TextLine& line, std::string_view text) {
  if (section_ == Section::kNstat) {
    const auto words = split_blanks(text);
    const auto value = words.size() == 3 ? parse_int(words[1]) : std::nullopt;
    if (value) counter("nstat", words[0], *value, line);
    return value.has_value();
  }
  std::string_view rest = text;
  if (const auto value = parse_int(eat_digits(rest)); value && rest.starts_with(" ")) {
    counter("netstat", trim(rest), *value, line);
    return true;
  }
  const auto pair = key_value(text);
  if (!pair) return true;
  if (const auto value = parse_int(pair->second)) counter("netstat", pair->first, *value, line);
  return true;
}

bool LinkReader::add_detail(const TextLine& line) {
  const std::string_view text = trim(line.text);
  switch (section_) {
    case Section::kNone:
      return false;
    case Section::kIp:
      return link_ && ip_detail(text);
    case Section::kIfconfig:
      if (link_) ifconfig_detail(text);
      return link_.has_value();
    case Section::kEthtool:
      if (link_) ethtool_detail(text);
      return link_.has_value();
    case Section::kIbstat:
      return ibstat_detail(line, text);
    case Section::kIbv:
      return ibv_detail(line, text);
    case Section::kStatistics:
    case Section::kPerfquery:
      return counter_detail(line, text);
    case Section::kNetstat:
    case Section::kNstat:
      return netstat_detail(line, text);
  }
  return false;
}

bool LinkReader::add(const TextLine& line) {
  if (const std::string_view command = command_line(line.text); !command.empty()) {
    finish();
    section_ = Section::kNone;
    adapter_.clear();
    // The statistics do not name their interface.
    if (command.starts_with("ethtool -S ")) adapter_ = std::string(trim(command.substr(11)));
    return command.starts_with("ip ") || command.starts_with("ifconfig") ||
           command.starts_with("ethtool") || command.starts_with("ib") ||
           command.starts_with("netstat -s") || command.starts_with("nstat") ||
           command.starts_with("perfquery");
  }
  if (add_head(line)) return true;
  const bool flush_left = !line.text.empty() && !is_blank(line.text[0]);
  if (flush_left && section_ != Section::kPerfquery && section_ != Section::kNstat) return false;
  return add_detail(line);
}

}  // namespace tfpm
