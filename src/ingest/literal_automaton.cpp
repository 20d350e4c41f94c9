#include "ingest/literal_automaton.h"

#include <hs.h>

#include <cstddef>
#include <new>

namespace tfpm {

void LiteralAutomaton::Free::operator()(hs_database* database) const {
  hs_free_database(database);
}

void LiteralAutomaton::Scratch::Free::operator()(hs_scratch* scratch) const {
  hs_free_scratch(scratch);
}

Result<LiteralAutomaton> LiteralAutomaton::compile(const std::vector<std::string>& literals) {
  LiteralAutomaton automaton;
  if (literals.empty()) return automaton;
  std::vector<const char*> texts;
  const std::vector<unsigned> flags(literals.size(), 0);
  std::vector<unsigned> ids;
  std::vector<std::size_t> lengths;
  for (const std::string& literal : literals) {
    ids.push_back(static_cast<unsigned>(ids.size()));
    texts.push_back(literal.data());
    lengths.push_back(literal.size());
  }
  hs_database_t* database = nullptr;
  hs_compile_error_t* problem = nullptr;
  const int rc = hs_compile_lit_multi(texts.data(), flags.data(), ids.data(), lengths.data(),
                                      static_cast<unsigned>(texts.size()), HS_MODE_BLOCK, nullptr,
                                      &database, &problem);
  automaton.database_.reset(database);
  if (rc == HS_SUCCESS) return automaton;
  std::string why = problem == nullptr ? "unknown reason" : problem->message;
  hs_free_compile_error(problem);
  return error(ErrorKind::kInternal, "cannot build the literal automaton", "", std::move(why),
               "this program needs a processor with SSSE3");
}

LiteralAutomaton::Scratch::Scratch(const LiteralAutomaton& automaton) {
  if (automaton.database_ == nullptr) return;
  hs_scratch_t* scratch = nullptr;
  if (hs_alloc_scratch(automaton.database_.get(), &scratch) != HS_SUCCESS) {
    throw std::bad_alloc();  // as every other allocation that fails
  }
  scratch_.reset(scratch);
}

Status LiteralAutomaton::scan_raw(std::string_view text, Scratch& scratch, Callback callback,
                                  void* context) const {
  if (database_ == nullptr) return ok_status();
  const int rc = hs_scan(database_.get(), text.data(), static_cast<unsigned>(text.size()), 0,
                         scratch.scratch_.get(), callback, context);
  if (rc == HS_SUCCESS) return ok_status();
  return error(ErrorKind::kInternal, "the literal automaton failed", "",
               "libhs error " + std::to_string(rc));
}

}  // namespace tfpm
