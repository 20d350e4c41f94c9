#include "align/scalar_kind.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tfpm {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) & 0x80U);
}

// Words in lower case: cut at everything that is no letter, and where lower case turns upper.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> out(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    const bool camel = upper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    if ((!is_letter(c) || camel) && !out.back().empty()) out.emplace_back();
    if (is_letter(c)) out.back() += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

class Words {
 public:
  explicit Words(std::string_view name) : words_(words_of(name)) {}
  bool any(std::initializer_list<std::string_view> wanted) const {
    return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
      return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
    });
  }
  bool only(std::initializer_list<std::string_view> wanted) const {
    return words_.size() == 1 && any(wanted);
  }

 private:
  std::vector<std::string> words_;
};

bool is_gradient(const Words& words) {
  return words.any({"grad", "grads", "gradient", "gradients", "global"});
}

}  // namespace

ScalarKind scalar_kind(std::string_view name) {
  const Words words(name);
  const bool loss =
      words.any({"loss", "losses", "cost", "nll", "xent", "crossentropy", "objective"});
  const bool scale = words.any({"scale", "scaler", "scaling", "lossscale"});
  if (words.any({"lr", "learningrate", "lernrate"}) ||
      (words.any({"learning"}) && words.any({"rate"}))) {
    return ScalarKind::kLearningRate;
  }
  if (scale && (loss || is_gradient(words) || words.any({"lossscale", "scaler", "amp", "fp"}) ||
                words.only({"scale"}))) {
    return ScalarKind::kLossScale;
  }
  if (words.any({"gnorm", "gradnorm"}) || (words.any({"norm"}) && is_gradient(words))) {
    return ScalarKind::kGradientNorm;
  }
  const bool validation =
      words.any({"val", "valid", "validation", "eval", "evaluation", "dev", "test"});
  if (loss && validation) return ScalarKind::kValidationLoss;
  if (words.any({"acc", "accuracy", "precision", "recall", "auc"})) return ScalarKind::kFraction;
  const bool part = scale || words.any({"reg", "regularization", "regularisation", "aux",
                                        "auxiliary", "weight", "decay", "best", "min", "delta"});
  return loss && !part ? ScalarKind::kLoss : ScalarKind::kNone;
}

TimePart time_part(std::string_view name) {
  const Words words(name);
  // A sum over the run, or a time still to come, is no part of a step.
  if (words.any({"total", "cumulative", "elapsed", "eta", "remaining", "sum"})) {
    return TimePart::kNone;
  }
  if (words.any({"comm", "comms", "communication", "allreduce", "reduce", "collective",
                 "collectives", "nccl", "network", "net", "exchange"})) {
    return TimePart::kCommunication;
  }
  const bool input =
      words.any({"data",     "input",    "inputs",   "infeed",     "feed",    "load",
                 "loading",  "loader",   "dataload", "dataloader", "dataset", "fetch",
                 "fetching", "read",     "reading",  "reader",     "dequeue", "queue",
                 "iterator", "prefetch", "pipeline", "datatime",   "datawait"});
  if (input) return TimePart::kInput;
  return words.only({"time"}) ? TimePart::kWhole : TimePart::kNone;
}

bool counts_epochs(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  return last.starts_with("epoch_") || last.starts_with("evaluation_");
}

}  // namespace tfpm
