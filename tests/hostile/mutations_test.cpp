// Every parser and the log reader over damaged copies of their fixtures.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <set>

#include "engine/rules.h"
#include "hostile/judge.h"
#include "hostile/mutate.h"
#include "ingest/identify.h"
#include "ingest/log_reader.h"
#include "ingest/reader_literals.h"
#include "support/parse_text.h"

namespace tfpm::test {
namespace {

constexpr std::size_t kAll = 10'000;
constexpr std::size_t kShare = 150;

std::size_t rounds() {
  return try_all() ? kAll : kShare;
}

std::uint64_t seed_of(std::string_view name, std::size_t round) {
  std::uint64_t seed = round;
  for (const char c : name) seed = seed * 131 + static_cast<unsigned char>(c);
  return seed;
}

std::vector<Fixture> of_parser(const std::vector<Fixture>& all, std::string_view parser) {
  std::vector<Fixture> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](const Fixture& f) { return f.parser == parser; });
  return out;
}

// Logs of every dialect are scattered over the fixtures of text parsers.
bool is_text(const Fixture& f) {
  return looks_like_text(std::string_view(f.bytes).substr(0, kSniffBytes));
}

std::string damaged(const std::vector<Fixture>& all, const Fixture& fixture, Dice& dice) {
  const Fixture& other = all[dice.below(all.size())];
  const bool framed = fixture.parser == "tfevents" || fixture.parser == "debug-events";
  if (framed && dice.below(2) == 0) return mutate_records(fixture.bytes, other.bytes, dice);
  return mutate(fixture.bytes, other.bytes, dice);
}

}  // namespace

TEST_CASE("parsers survive damage") {
  const std::vector<Fixture> all = fixtures();
  const std::int64_t idle = peak_memory_kib();
  for (const auto& parser : make_all_parsers()) {
    const std::vector<Fixture> own = of_parser(all, parser->name());
    REQUIRE_FALSE(own.empty());
    for (std::size_t round = 0; round < rounds(); ++round) {
      Dice dice(seed_of(parser->name(), round));
      const Fixture& fixture = own[round % own.size()];
      const std::string bytes = damaged(all, fixture, dice);
      CountingSink sink;
      const std::string over = over_limits(idle, [&] {
        const std::size_t head = std::min(bytes.size(), kSniffBytes);
        parser->sniff({fixture.member, {bytes.data(), head}, head == bytes.size()});
        MemoryStream stream(bytes);
        // An error status is a sentence too: the reader of members makes a problem of it.
        (void)parser->parse({fixture.member, bytes.size()}, stream, sink);
      });
      INFO(parser->name() << " " << fixture.member << " round " << round);
      if (!over.empty()) FAIL(over);
      if (const std::string bad = sink.bad_problem(); !bad.empty()) FAIL(bad);
    }
  }
}

TEST_CASE("the log reader survives damage") {
  std::vector<Fixture> texts = fixtures();
  texts.erase(
      std::remove_if(texts.begin(), texts.end(), [](const Fixture& f) { return !is_text(f); }),
      texts.end());
  const Result<RuleSet> rules = load_rules(std::nullopt);
  REQUIRE(rules.ok());
  const auto matcher = Matcher::compile(rules->signatures, kReaderLiterals);
  REQUIRE(matcher.ok());
  LogReader reader(*matcher, rules->signatures);
  const std::int64_t idle = peak_memory_kib();
  for (std::size_t round = 0; round < rounds(); ++round) {
    Dice dice(seed_of(kLogParser, round));
    const Fixture& fixture = texts[round % texts.size()];
    const std::string bytes = damaged(texts, fixture, dice);
    CountingSink sink;
    const std::string over = over_limits(idle, [&] {
      MemoryStream stream(bytes);
      std::vector<StreamSeries> series;
      (void)reader.read({fixture.member, bytes.size()},
                        std::string_view(bytes).substr(0, kSniffBytes), stream, sink, series);
    });
    INFO(fixture.member << " round " << round);
    if (!over.empty()) FAIL(over);
    if (const std::string bad = sink.bad_problem(); !bad.empty()) FAIL(bad);
  }
}

}  // namespace tfpm::test
