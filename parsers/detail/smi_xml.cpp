#include "parsers/detail/smi_xml.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxText = 4096;

std::string unescaped(std::string_view text) {
  struct Entity {
    std::string_view name;
    char value;
  };
  constexpr Entity kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string out;
  while (!text.empty()) {
    bool found = false;
    for (const Entity& entity : kEntities) {
      if (found || !eat(text, entity.name)) continue;
      out += entity.value;
      found = true;
    }
    if (found) continue;
    out += text[0];
    text.remove_prefix(1);
  }
  return out;
}

std::string_view tag_name(std::string_view tag) {
  return tag.substr(0, tag.find_first_of(" \t/"));
}

}  // namespace

void SmiXmlReader::open_tag(std::string_view tag, const SmiPlace& place) {
  const std::string_view name = tag_name(tag);
  text_.clear();
  if (name == "gpu") {
    tree_.start_gpu(between(tag, "id=\"", "\"").value_or(""), place);
    in_gpu_ = true;
    path_.clear();
  } else if (path_.size() < kMaxDepth) {
    path_.push_back(normalised_key(name));
  }
}

void SmiXmlReader::close_tag(const SmiPlace& place) {
  if (path_.empty()) {
    in_gpu_ = false;
    return;
  }
  const std::string value = unescaped(trim(text_));
  if (!value.empty()) tree_.value(path_, value, place);
  path_.pop_back();
  text_.clear();
}

bool SmiXmlReader::add(std::string_view line, const SmiPlace& place) {
  std::string_view rest = trim(line);
  if (!open_) {
    if (rest.starts_with("<?xml") || rest.starts_with("<!DOCTYPE nvidia_smi_log")) return true;
    if (!rest.starts_with("<nvidia_smi_log>")) return false;
    tree_.start_log(place);
    open_ = true;
    return true;
  }
  last_ = place;
  while (!rest.empty()) {
    const std::size_t tag = rest.find('<');
    if (text_.size() < kMaxText) text_.append(rest.substr(0, tag));
    if (tag == std::string_view::npos) break;
    rest.remove_prefix(tag + 1);
    const std::size_t end = rest.find('>');
    if (end == std::string_view::npos) break;
    const std::string_view name = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (name == "/nvidia_smi_log") {
      close_log();
      return true;
    }
    const bool closing = name.starts_with("/");
    if (!closing) open_tag(name, place);
    if (closing || name.ends_with("/")) close_tag(place);
  }
  return true;
}

void SmiXmlReader::finish() {
  if (open_) {
    rows_.problem("nvidia-smi-xml-truncated", last_,
                  "the XML ends without </nvidia_smi_log>: GPUs and values may be missing behind "
                  "this line");
  }
  close_log();
}

void SmiXmlReader::close_log() {
  tree_.finish();
  open_ = false;
  in_gpu_ = false;
  path_.clear();
}

}  // namespace tfpm
