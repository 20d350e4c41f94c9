#include "parsers/detail/environment_banners.h"

#include <algorithm>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

using Entries = std::vector<EnvironmentEntry>;

bool is_version(std::string_view text) {
  return !text.empty() && is_digit(text[0]) && contains(text, ".") &&
         text.find_first_not_of("0123456789.abcdefghijklmnopqrstuvwxyz-+") ==
             std::string_view::npos;
}

Entries one(std::string_view component, std::string_view version) {
  return {{std::string(component), std::string(version)}};
}

// Value of a quoted or bare Python literal at the front of `text`.
std::string_view literal(std::string_view text) {
  if (text.empty()) return {};
  if (text[0] == '\'' || text[0] == '"') {
    const std::size_t end = text.find(text[0], 1);
    return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
  }
  if (text[0] == '[') return text.substr(0, std::min(text.find(']') + 1, text.size()));
  return trim(text.substr(0, text.find_first_of(",)}")));
}

// OrderedDict([('cuda_version', '12.2'), ...]) or {'cuda_version': '12.2', ...}.
Entries read_build_info(std::string_view line) {
  if (!contains(line, "is_cuda_build") && !contains(line, "cuda_compute_capabilities")) return {};
  Entries entries;
  for (const std::string_view key :
       {"cpu_compiler", "cuda_compute_capabilities", "cuda_version", "cudnn_version",
        "is_cuda_build", "is_rocm_build", "is_tensorrt_build", "rocm_version"}) {
    std::size_t at = line.find("'" + std::string(key) + "'");
    if (at == std::string_view::npos) at = line.find("\"" + std::string(key) + "\"");
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + key.size() + 2);
    while (!rest.empty() && (is_blank(rest[0]) || rest[0] == ',' || rest[0] == ':')) {
      rest.remove_prefix(1);
    }
    const std::string_view value = literal(rest);
    if (!value.empty()) entries.push_back({"build:" + std::string(key), std::string(value)});
  }
  return entries;
}

// "NVIDIA-SMI version  : 580.65.06": the part behind the colon.
Entries read_nvidia_version(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string key = to_lower(trim(line.substr(0, colon)));
  const std::string_view value = trim(line.substr(colon + 1));
  if (!is_version(value)) return {};
  if (key == "driver version") return one("nvidia-driver", value);
  if (key == "cuda version") return one("cuda-driver", value);
  if (key == "nvidia-smi version") return one("nvidia-smi", value);
  if (key == "nvml version") return one("nvml", value);
  return {};
}

// "2.15.1 v2.15.0-11-g63f5a65c7cd Ubuntu clang version 16.0.6".
Entries read_tensorflow_version(std::string_view line) {
  const std::vector<std::string_view> words = split_blanks(line);
  if (words.size() < 2 || !is_version(words[0])) return {};
  const bool git = words[1].size() > 2 && words[1][0] == 'v' && is_digit(words[1][1]);
  if (!git && words[1] != "unknown") return {};
  return {{"tensorflow", std::string(words[0])}, {"tensorflow-git", std::string(words[1])}};
}

Entries read_kernel_driver(std::string_view line) {
  if (!line.starts_with("NVRM version:")) return {};
  for (const std::string_view word : split_blanks(line)) {
    if (is_version(word)) return one("nvidia-driver", word);
  }
  return {};
}

}  // namespace

std::vector<EnvironmentEntry> read_banner(std::string_view line) {
  std::string_view rest = line;
  if (eat(rest, "Python ") && is_version(rest)) return one("python", rest);
  if (const auto nvcc = between(line, "Cuda compilation tools, release ", ", V");
      nvcc && is_version(*nvcc)) {
    return one("nvcc", *nvcc);
  }
  if (line.starts_with("Linux ")) {
    const std::vector<std::string_view> words = split_blanks(line);
    if (words.size() > 4 && words[3].starts_with("#")) return one("kernel", words[2]);
  }
  if (line.starts_with("ldd (")) {
    const std::size_t blank = line.rfind(' ');
    if (is_version(line.substr(blank + 1))) return one("glibc", line.substr(blank + 1));
  }
  rest = line;
  if (eat(rest, "PRETTY_NAME=")) {
    while (!rest.empty() && rest.front() == '"') rest.remove_prefix(1);
    while (!rest.empty() && rest.back() == '"') rest.remove_suffix(1);
    return one("os", rest);
  }
  if (Entries entries = read_build_info(line); !entries.empty()) return entries;
  if (Entries entries = read_kernel_driver(line); !entries.empty()) return entries;
  if (Entries entries = read_nvidia_version(line); !entries.empty()) return entries;
  return read_tensorflow_version(line);
}

}  // namespace tfpm
