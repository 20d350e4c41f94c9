// Sockets and flows in files of their own: ss, netstat, iftop -t (log-formats.md 10).
#include <memory>
#include <optional>

#include "parsers/detail/line_share.h"
#include "parsers/detail/null_sink.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxRows = 50'000;
constexpr std::size_t kMaxAddress = 100;

struct Connection {
  std::uint64_t line = 0;
  std::uint64_t byte_offset = 0;
  std::string state, local, peer;
  std::optional<std::int64_t> recv_queue, send_queue, pid, retrans;
  std::optional<std::string> process;
  std::optional<double> rto_ms;
};

bool is_state(std::string_view word) {
  for (const std::string_view state :
       {"ESTAB",     "ESTABLISHED", "LISTEN",     "SYN-SENT",   "SYN_SENT",
        "SYN-RECV",  "SYN_RECV",    "FIN-WAIT-1", "FIN_WAIT1",  "FIN-WAIT-2",
        "FIN_WAIT2", "TIME-WAIT",   "TIME_WAIT",  "CLOSE-WAIT", "CLOSE_WAIT",
        "LAST-ACK",  "LAST_ACK",    "CLOSING",    "CLOSE",      "UNCONN"}) {
    if (word == state) return true;
  }
  return false;
}

bool is_address(std::string_view word) {
  return word.size() >= 3 && contains(word, ":") &&
         word.find_first_not_of(
             "0123456789abcdefABCDEF.:[]*%-_/"
             "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
}

// "1.2Gb", "340Kb", "0b": megabits.
std::optional<double> parse_rate(std::string_view word) {
  const auto number = leading_decimal(word);
  if (!number || *number < 0 || word.size() < 2 || (word.back() != 'b' && word.back() != 'B')) {
    return std::nullopt;
  }
  const char unit = word[word.size() - 2];
  const double factor = unit == 'G'                  ? 1000
                        : unit == 'M'                ? 1
                        : unit == 'K' || unit == 'k' ? 1e-3
                                                     : 1e-6;
  return *number * factor * (word.back() == 'B' ? 8 : 1);
}

class ConnectionReader {
 public:
  ConnectionReader(std::optional<std::string> owner, Sink& sink)
      : owner_(std::move(owner)), sink_(sink) {}

  bool add(const TextLine& line) {
    const std::string_view text = trim(line.text);
    if (add_flow(text, line)) return true;
    if (is_heading(text)) return true;
    const auto words = split_blanks(text);
    // `ss -i` continues a socket on an indented line.
    if (open_ && is_blank(line.text[0]) && add_details(text, words)) return true;
    if (ss_row(words, line) || netstat_row(words, line)) return true;
    return false;
  }

  void finish() {
    if (!open_) return;
    const Connection& c = *open_;
    if (++rows_ <= kMaxRows) {
      sink_.add("network_connection", {{"line", int_value(c.line)},
                                       {"byte_offset", int_value(c.byte_offset)},
                                       {"owner", optional_value(owner_)},
                                       {"state", text_value(c.state)},
                                       {"recv_queue", optional_value(c.recv_queue)},
                                       {"send_queue", optional_value(c.send_queue)},
                                       {"local", text_value(clean_utf8(c.local, kMaxAddress))},
                                       {"peer", text_value(clean_utf8(c.peer, kMaxAddress))},
                                       {"pid", optional_value(c.pid)},
                                       {"process", optional_value(c.process)},
                                       {"retrans", optional_value(c.retrans)},
                                       {"rto_ms", optional_value(c.rto_ms)}});
    }
    open_.reset();
  }

 private:
  bool is_heading(std::string_view text) {
    const bool ss = contains(text, "Recv-Q") && contains(text, "Send-Q") && contains(text, "Local");
    if (ss) finish();
    return ss || text.starts_with("Active Internet connections") ||
           text.starts_with("Active UNIX domain sockets") || text.starts_with("interface:") ||
           text.starts_with("IP address is:") || text.starts_with("MAC address is:") ||
           text.starts_with("Listening on ") || text.starts_with("# Host name (port/service") ||
           text.starts_with("Total send rate") || text.starts_with("Total receive rate") ||
           text.starts_with("Total send and receive") || text.starts_with("Peak rate") ||
           text.starts_with("Cumulative (sent") || text.find_first_not_of("-=") == text.npos;
  }

  // "ESTAB 0 4344 10.0.0.24:51234 10.0.0.21:2222 users:(("python3",pid=4242,fd=33))", with the
  // protocol in front when several are listed.
  bool ss_row(const std::vector<std::string_view>& words, const TextLine& line) {
    const std::size_t first = !words.empty() && is_state(words[0])     ? 0
                              : words.size() > 1 && is_state(words[1]) ? 1
                                                                       : words.size();
    if (first + 5 > words.size()) return false;
    const auto recv_queue = parse_int(words[first + 1]);
    const auto send_queue = parse_int(words[first + 2]);
    if (!recv_queue || !send_queue || !is_address(words[first + 3]) ||
        !is_address(words[first + 4])) {
      return false;
    }
    start(line, words[first], words[first + 3], words[first + 4]);
    // Of a listening socket the columns are its backlog.
    if (words[first] != "LISTEN") {
      open_->recv_queue = recv_queue;
      open_->send_queue = send_queue;
    }
    add_details(line.text, words);
    return true;
  }

  // "tcp 0 4344 10.0.0.24:51234 10.0.0.21:2222 ESTABLISHED 4242/python3"
  bool netstat_row(const std::vector<std::string_view>& words, const TextLine& line) {
    if (words.size() < 5 || !(words[0].starts_with("tcp") || words[0].starts_with("udp"))) {
      return false;
    }
    const auto recv_queue = parse_int(words[1]);
    const auto send_queue = parse_int(words[2]);
    if (!recv_queue || !send_queue || !is_address(words[3])) return false;
    const bool stated = words.size() > 5 && is_state(words[5]);
    start(line, stated ? words[5] : "UNCONN", words[3], words[4]);
    open_->recv_queue = recv_queue;
    open_->send_queue = send_queue;
    const std::string_view owner = words.size() > (stated ? 6U : 5U) ? words[stated ? 6 : 5] : "";
    const std::size_t slash = owner.find('/');
    if (slash != std::string_view::npos) {
      open_->pid = parse_int(owner.substr(0, slash));
      open_->process = clean_utf8(owner.substr(slash + 1), kMaxAddress);
    }
    return true;
  }

  void start(const TextLine& line, std::string_view state, std::string_view local,
             std::string_view peer) {
    finish();
    open_.emplace();
    open_->line = line.number;
    open_->byte_offset = line.offset;
    open_->state = std::string(state);
    open_->local = std::string(local);
    open_->peer = std::string(peer);
  }

  // "users:((...))", "retrans:0/12", "rto:204"; false when none of what ss prints is there.
  bool add_details(std::string_view text, const std::vector<std::string_view>& words) {
    bool known = false;
    if (const auto pid = between(text, "pid=", ",")) {
      open_->pid = parse_int(*pid);
      if (const auto name = between(text, "((\"", "\"")) {
        open_->process = clean_utf8(*name, kMaxAddress);
      }
      known = true;
    }
    for (std::string_view word : words) {
      if (eat(word, "retrans:")) {
        open_->retrans = parse_int(word.substr(word.find('/') + 1));
        known = true;
      } else if (eat(word, "rto:")) {
        open_->rto_ms = leading_decimal(word);
        known = true;
      } else if (word.starts_with("cwnd:") || word.starts_with("skmem:") ||
                 word.starts_with("rtt:") || word.starts_with("timer:") || word == "cubic") {
        known = true;
      }
    }
    return known;
  }

  // "   1 10.0.0.24    =>   1.2Gb  1.1Gb  1.0Gb  12MB" over "     10.0.0.21  <=  ...".
  bool add_flow(std::string_view text, const TextLine& line) {
    const std::size_t out = text.find(" => ");
    const std::size_t in = text.find(" <= ");
    if (out == std::string_view::npos && in == std::string_view::npos) return false;
    const auto rates = split_blanks(text.substr((out != text.npos ? out : in) + 4));
    // Averages over 2, 10 and 40 seconds, then the sum.
    const auto rate = rates.size() >= 3 ? parse_rate(rates[2]) : std::nullopt;
    if (!rate) return false;
    if (out != std::string_view::npos) {
      std::string_view host = text.substr(0, out);
      if (!eat_digits(host).empty() && !host.starts_with(" ")) host = text.substr(0, out);
      flow_host_ = std::string(trim(host));
      flow_rate_ = *rate;
      flow_line_ = line.number;
      flow_offset_ = line.offset;
    } else if (!flow_host_.empty()) {
      if (++rows_ <= kMaxRows) {
        sink_.add("network_flow",
                  {{"line", int_value(flow_line_)},
                   {"byte_offset", int_value(flow_offset_)},
                   {"owner", optional_value(owner_)},
                   {"host", text_value(clean_utf8(flow_host_, kMaxAddress))},
                   {"peer", text_value(clean_utf8(trim(text.substr(0, in)), kMaxAddress))},
                   {"tx_mbit", Value(flow_rate_)},
                   {"rx_mbit", Value(*rate)}});
      }
      flow_host_.clear();
    }
    return true;
  }

  std::optional<std::string> owner_;
  Sink& sink_;
  std::optional<Connection> open_;
  std::string flow_host_;  // first line of a pair of iftop
  double flow_rate_ = 0;
  std::uint64_t flow_line_ = 0;
  std::uint64_t flow_offset_ = 0;
  std::size_t rows_ = 0;
};

class ConnectionsParser : public Parser {
 public:
  std::string_view name() const override { return "connections"; }

  SniffScore sniff(const SniffInput& input) const override {
    NullSink sink;
    ConnectionReader reader(std::nullopt, sink);
    std::size_t commands = 0;
    const LineShare share = count_lines(input, 1000, [&](const TextLine& line) {
      const bool command = !command_line(line.text).empty();
      commands += command ? 1U : 0U;
      return command || reader.add(line);
    });
    return share.hits >= 2 + commands && share.is_whole() ? 82 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    ConnectionReader reader(owner_from_path(member.path), sink);
    LineReader lines(in);
    while (const auto line = lines.next()) {
      if (!trim(line->text).empty()) reader.add(*line);
    }
    reader.finish();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_connections_parser() {
  return std::make_unique<ConnectionsParser>();
}

}  // namespace tfpm
