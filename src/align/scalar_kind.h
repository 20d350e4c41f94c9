// What a named number of a training run is, by its name: those that tell why values stop being
// finite (algorithms.md section 5.3).
#pragma once

#include <string_view>

namespace tfpm {

enum class ScalarKind {
  kNone,
  kLoss,            // of training
  kValidationLoss,  // of validation: finite means that the weights are
  kLearningRate,
  kGradientNorm,
  kLossScale,  // of mixed precision
  kFraction,   // accuracy and the like: never above one, or above a hundred
};

// "train/lr", "epoch_loss", "global_gradient_norm", "lossScale". Case does not count.
ScalarKind scalar_kind(std::string_view name);

// What a printed duration is spent on, by its name: "data_wait_ms", "t_allreduce"; kWhole: the step
// itself, "time". kNone: it says no part of a step, or nothing that a rule asks for.
enum class TimePart { kNone, kInput, kCommunication, kWhole };
TimePart time_part(std::string_view name);

// Keras numbers "epoch_..." and "evaluation_..." tags by epoch, not by step.
bool counts_epochs(std::string_view name);

}  // namespace tfpm
