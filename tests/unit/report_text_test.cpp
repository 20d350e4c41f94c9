// Texts that reports show: visible, bounded, masked, and never markup.
#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "report/clock_words.h"
#include "report/document.h"
#include "report/format.h"
#include "report/secrets.h"
#include "report/sections.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

std::string markdown_of(Inline text) {
  Document doc;
  doc.add(Paragraph{std::move(text)});
  return to_markdown(doc);
}

}  // namespace

TEST_CASE("invisible and reordering characters are shown") {
  CHECK(visible("a\tb\nc\r\nd\re") == "a b c d␍e");
  CHECK(visible("a\nb\r\nc", Lines::kKeep) == "a\nb\nc");
  CHECK(visible("\x1b[31m\x7f") == "␛[31m␡");
  CHECK(visible("x\u202ey\u200bz") == "x[U+202E]y[U+200B]z");
  CHECK(visible("\xff\xc2") == "��");
  CHECK(visible("größe 日本 🙂") == "größe 日本 🙂");
}

TEST_CASE("each class of clock has its words") {
  const std::vector<std::string> said = clock_sentences({{"worker-0", "A", 4200},
                                                         {"worker-1", "A", 11001},
                                                         {"worker-2", "D", std::nullopt},
                                                         {"worker-3", "B", 90'000},
                                                         {"ps-0", "C", 1'000'000}});
  const std::vector<std::string> want = {
      "worker-0, worker-1: aligned to within about 12 ms",
      "worker-3: aligned to about 0.1 s; orders closer than that are shown as concurrent",
      "ps-0: coarsely aligned; only step order is used for cause and effect",
      "worker-2: not alignable; wall times shown as written"};
  CHECK(said == want);
}

TEST_CASE("cuts keep characters whole") {
  CHECK(cut_utf8("aé", 2) == "a");
  CHECK(cut_utf8("aé", 3) == "aé");
  CHECK(shorten("日本語", 3) == "日本語");
  CHECK(shorten("日本語文", 3) == "日本…");
  CHECK(shorten("abc", 0).empty());
  CHECK(pad_right("é", 3) == "é  ");
}

TEST_CASE("secrets are masked, diagnostics are not") {
  CHECK(mask_secrets("AWS_SECRET_ACCESS_KEY=abc123DEF") == "AWS_SECRET_ACCESS_KEY=***");
  CHECK(mask_secrets("WANDB_API_KEY: 0123456789abcdef") == "WANDB_API_KEY: ***");
  CHECK(mask_secrets("{'password': 'hunter2', 'x': 1}") == "{'password': '***', 'x': 1}");
  CHECK(mask_secrets("HF_TOKEN=hf_aaaaaaaaaaaaaaaaaaaaaaaa") == "HF_TOKEN=***");
  CHECK(mask_secrets("gs://u:p4ss@bucket/x") == "gs://***@bucket/x");
  CHECK(mask_secrets("Authorization: Bearer abcdefghijklmnop") == "Authorization: Bearer ***");
  CHECK(mask_secrets("https://s3/x?X-Amz-Signature=00ff&a=1") ==
        "https://s3/x?X-Amz-Signature=***&a=1");
  for (const std::string text :
       {"KeyError: 'label'", "Key: image. Can't parse serialized Example.", "tokens=4096",
        "token: 17", "grpc://worker-0:2222", "group_key=1 instance_key=42", "num_tokens: 1234567",
        "secret", "/mnt/nfs/part-00017.tfrecord", "user@host:/path"}) {
    CHECK(mask_secrets(text) == text);
  }
}

TEST_CASE("plain text never becomes markup") {
  CHECK(markdown_of({plain("<b> & &lt; *x* _y_ a_b `c` [l](u) | ~ $")}) ==
        "&lt;b> & &amp;lt; \\*x\\* \\_y\\_ a_b \\`c\\` \\[l](u) \\| \\~ \\$\n");
  CHECK(markdown_of({plain("# no heading")}) == "\\# no heading\n");
  CHECK(markdown_of({plain("- no list")}) == "\\- no list\n");
  CHECK(markdown_of({plain("12. no list")}) == "12\\. no list\n");
  CHECK(markdown_of({plain("    no code")}) == "no code\n");
  CHECK(markdown_of({plain("http://evil www.evil a@b")}) == "http\\://evil www\\.evil a\\@b\n");
  CHECK(markdown_of({strong(" x "), plain("y")}) == "**x** y\n");
}

TEST_CASE("code is fenced longer than what is inside") {
  CHECK(markdown_of({code("a")}) == "`a`\n");
  CHECK(markdown_of({code("`a``b")}) == "``` `a``b ```\n");
  Document doc;
  doc.add(CodeBlock{"x\n```\ny"});
  CHECK(to_markdown(doc) == "````text\nx\n```\ny\n````\n");
  Document table;
  table.add(Table{{"h"}, {{{code("a|b")}}}});
  CHECK(to_markdown(table) == "| h |\n|---|\n| `a\\|b` |\n");
}

TEST_CASE("HTML escapes everything") {
  Document doc{"<t>", {}};
  doc.add(Paragraph{{plain("<script>'\"&"), code("</code>")}});
  const std::string html = to_html(doc);
  CHECK(html.find("<p>&lt;script&gt;&#39;&quot;&amp;<code>&lt;/code&gt;</code></p>") !=
        std::string::npos);
  CHECK(html.find("<title>&lt;t&gt;</title>") != std::string::npos);
}

TEST_CASE("pairs of backticks in prose are code, a lone one is not") {
  const Inline spans = prose("see `a` and `b");
  REQUIRE(spans.size() == 3);
  CHECK(spans[1].style == Style::kCode);
  CHECK(spans[1].text == "a");
  CHECK(spans[2].text == " and `b");
  CHECK(prose("").empty());
}

TEST_CASE("steps, times and names read the same everywhere") {
  CHECK(format_step({}) == "–");
  CHECK(format_step({3, 3}) == "3");
  CHECK(format_step({3, 5}) == "3–5");
  CHECK(format_step({3, std::nullopt}) == "≥ 3");
  CHECK(format_step({std::nullopt, 5}) == "≤ 5");
  CHECK(format_time_utc(1796046555668000) == "2026-11-30T13:49:15.668000Z");
  CHECK(format_time_utc(-1) == "1969-12-31T23:59:59.999999Z");
  CHECK(format_bytes(1023) == "1023 bytes");
  CHECK(format_bytes(1536) == "1.5 KiB");
  CHECK(format_db(-0.0) == "0 dB");
  CHECK(format_db(2.54) == "2.5 dB");
  CHECK(format_names({"worker-1", "worker-2", "worker-3", "ps-0"}) == "worker-1…3, ps-0");
  CHECK(format_names({"worker-1", "worker-2"}) == "worker-1, worker-2");
  CHECK(format_names({"a", "b", "c"}, 2) == "a, b and 1 more");
  CHECK(format_names({}).empty());
}

TEST_CASE("a bundle of links does not fill the report") {
  ReportModel model;
  for (int i = 0; i < 500; ++i) {
    const std::string n = std::to_string(i);
    model.unread.push_back({"link-" + n, "symbolic link to ../" + n + ": not followed"});
  }
  Document doc;
  add_gaps(model, doc);
  const auto& list = std::get<List>(doc.blocks.back());
  CHECK(list.items.size() == 31);
  CHECK(to_markdown(doc).find("and 470 more") != std::string::npos);
}

TEST_CASE("the greatest step there can be is a step like any other") {
  ReportModel model;
  model.verdict.step.lo = std::numeric_limits<std::int64_t>::max();
  Document doc;
  add_queries(model, doc);
  CHECK(to_markdown(doc).find("--step 9223372036854775805..9223372036854775807") !=
        std::string::npos);
}

}  // namespace tfpm::report
