#include "align/running_mean.h"

#include <cmath>

namespace tfpm {
namespace {

// `12/100 [==>...] - ETA: 1:02 - loss: 0.62`, `12/100 ━━━━ 5s 66ms/step - loss: 0.62`: a count and
// its total at the start of the line, then a bar.
bool is_keras_bar(const NamedStream& stream, const FamilyMember& m) {
  const TemplateSeries& series = stream.series->templates[m.series];
  if (m.slot != 0 || !series.pieces[0].empty() || series.pieces.size() < 3) return false;
  const std::string& bar = series.pieces[2];
  return series.pieces[1] == "/" && (bar.starts_with("[=]") || bar.starts_with("="));
}

bool is_finite(const MarkerRow& row) {
  return row.loss && std::isfinite(*row.loss);
}

}  // namespace

void recover_batch_losses(const NamedStream& stream, const Family& family, MarkerSeries& series) {
  if (!series.period || !series.has_loss || *series.period <= 0) return;
  for (const FamilyMember& m : family.members) {
    if (!is_keras_bar(stream, m)) return;
  }
  const auto period = static_cast<double>(*series.period);
  const MarkerRow* before = nullptr;
  for (MarkerRow& row : series.rows) {
    const double batch = std::fmod(row.step - 1, period) + 1;
    const double start = row.step - batch;  // steps before this epoch
    const bool same = before != nullptr && before->attempt == row.attempt && before->step > start &&
                      before->step < row.step;
    if (is_finite(row)) {
      if (same && is_finite(*before)) {
        const double known = before->step - start;
        row.batch_loss = (batch * *row.loss - known * *before->loss) / (batch - known);
      } else if (!same && batch == 1) {
        row.batch_loss = row.loss;
      }
    }
    before = &row;
  }
}

}  // namespace tfpm
