// What the words around a number say it is: the vocabulary of training loops in a dozen languages
// (algorithms.md section 1.9, rules 3, 4 and 8).
//
// Words are data (log_words.cpp); every reader of numbers asks here, so that the learner and the
// choice of markers never disagree on what a word means.
#pragma once

#include <cstdint>
#include <string_view>

namespace tfpm {

// Classes a single lower-case word may belong to; a word can have several.
enum WordClass : std::uint32_t {
  kWordStep = 1U << 0U,
  kWordLoss = 1U << 1U,
  kWordNotLoss = 1U << 2U,  // beside a loss word: not the training loss (val, scale, l2 ...)
  kWordEpoch = 1U << 3U,
  kWordSamples = 1U << 4U,
  kWordTokens = 1U << 5U,
  kWordTime = 1U << 6U,      // time, elapsed, duration ...
  kWordWait = 1U << 7U,      // eta, elapsed, remaining: a time that is no step's own
  kWordSecond = 1U << 8U,    // units of time
  kWordMilli = 1U << 9U,     // ...
  kWordMicro = 1U << 10U,    // ...
  kWordMinute = 1U << 11U,   // ...
  kWordOther = 1U << 12U,    // another quantity: memory, rank, learning rate ...
  kWordPer = 1U << 13U,      // per, rate, speed, throughput
  kWordAux = 1U << 14U,      // an auxiliary loop: eval, load, save ...
  kWordFiller = 1U << 15U,   // of, after, is ...: never a name
  kWordCount = 1U << 16U,    // idx, num, count, seen ...: adds nothing to the name it is part of
  kWordBegin = 1U << 17U,    // starting, begin ...
  kWordDone = 1U << 18U,     // done, finished, completed ...
  kWordSave = 1U << 19U,     // saved, saving, checkpoint
  kWordRestore = 1U << 20U,  // restored, resuming ...
  kWordPercent = 1U << 21U,  // percent, progress
};

// Classes of one word; compounds are judged by a known ending ("trainingsschritt", "minibatch").
// Case does not matter. 0 = an unknown word.
std::uint32_t word_classes(std::string_view word);

enum class Quantity {
  kUnknown,
  kStep,
  kEpoch,
  kSamples,
  kTokens,
  kPercent,
  kLoss,
  kStepTime,  // time per step
  kTime,      // any other time
  kRate,
  kOther,
};

struct KeyMeaning {
  Quantity quantity = Quantity::kUnknown;
  bool exact_loss = false;  // the key is `loss` and nothing else
  double unit_seconds = 0;  // kStepTime, kTime: seconds per unit as the key says; 0 = not said
};

// Judges a key by its parts: "global_step", "lossValue", "examples/sec", "step_time_ms".
KeyMeaning judge_key(std::string_view key);

// True when any word of the text (split at everything that is no letter) has one of the classes.
bool any_word(std::string_view text, std::uint32_t classes);

}  // namespace tfpm
