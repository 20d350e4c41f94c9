#include "base/log_words.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "base/ascii.h"
#include "base/utf8_lower.h"

namespace tfpm {
namespace {

struct WordList {
  std::uint32_t classes;
  std::string_view words;  // lower case, separated by blanks
};

// Latin, Greek and Cyrillic words match whole or as the ending of a compound; words of scripts
// without blanks match anywhere.
constexpr WordList kLists[] = {
    {kWordStep,
     "step steps stp iter iters iteration iterations itr it its batch batches minibatch update "
     "updates upd "
     "upds schritt schritte étape étapes etape etapes pas itération itérations lot lots paso pasos "
     "iteración iteraciones iteracion lote lotes passo passos passi iteração iterações iterazione "
     "iterazioni lotto lotti stap stappen iteratie iteraties steg skridt trin krok kroki kroków "
     "iteracja "
     "iteracje iterace dávka шаг шаги шагов итерация итерации итераций итер батч батчи крок "
     "ітерація "
     "adım adim iterasyon askel lépés βήμα langkah bước bước ステップ イテレーション バッチ 反復 "
     "步 迭代 批次 "
     "스텝 단계 반복 배치"},
    {kWordLoss,
     "loss losses cost costs nll objective obj xent crossentropy xentropy ce bce perplexity ppl "
     "elbo verlust "
     "verluste kosten zielfunktion perte pertes coût cout pérdida perdida pérdidas costo coste "
     "perda custo "
     "perdita verlies förlust forlust tap strata koszt ztráta потеря потери лосс втрата "
     "втрати kayıp kayip häviö veszteség pierdere απώλεια kerugian 損失 ロス 损失 손실"},
    {kWordNotLoss,
     "scale val valid validation eval evaluation test dev l1 l2 reg regularization "
     "regularisation regularizer aux auxiliary weight best min delta prev last final"},
    {kWordEpoch,
     "epoch epochs ep epoche epochen époque époques epoque época épocas epoca epochs epoche epoka "
     "epoki "
     "epok эпоха эпохи эпох эпохе епоха dönem εποχή エポック 轮 轮次 轮数 回合 世代 에포크 에폭"},
    {kWordSamples,
     "sample samples example examples exs ex smp img imgs image images record records row rows "
     "item items sequence sequences seqs instance instances muster beispiel beispiele proben "
     "exemple exemples échantillon échantillons muestra muestras ejemplo ejemplos amostra "
     "amostras campione campioni esempi przykład próbki пример примеры примеров образцов "
     "örnek サンプル 样本 样例 표본 샘플"},
    {kWordTokens,
     "token tokens tok toks char chars wort wörter words токен токены токенов トークン 词元"},
    {kWordTime,
     "time times duration took dur runtime walltime wall clock zeit dauer temps durée tiempo tempo "
     "czas время süre 時間 时间 耗时 用时 시간 latency"},
    {kWordTime | kWordWait,
     "eta elapsed remaining remain left uptime since ago cumulative verbleibend vergangen "
     "restzeit осталось 剩余 残り"},
    {kWordSecond,
     "s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos secondi сек "
     "секунд секунда 秒 초"},
    {kWordMilli, "ms msec msecs millis millisecond milliseconds мс 毫秒"},
    {kWordMicro, "us µs usec usecs micros microsecond microseconds мкс 微秒"},
    {kWordMinute, "min mins minute minutes minuten мин"},
    {kWordTime, "h hr hrs hour hours day days"},
    {kWordOther,
     "lr learning learningrate rate lernrate eta0 momentum decay beta beta1 beta2 temperature temp "
     "acc accuracy "
     "genauigkeit précision precision recall auc f1 top1 top5 iou map bleu rouge score reward wer "
     "cer mae mse "
     "rmse r2 metric grad gnorm gradnorm norm gradient grads clip memory mem ram vram rss heap "
     "alloc allocated "
     "reserved free used usage util utilization utilisation size sizes bytes byte kb mb gb tb kib "
     "mib gib "
     "bits rank ranks local_rank world worker workers node nodes host device devices gpu gpus cpu "
     "cpus tpu core "
     "cores replica replicas task tasks thread threads proc process pid tid port seed queue qsize "
     "qlen depth "
     "backlog pending inflight heartbeat heartbeats hb ping alive health layer layers head heads "
     "dim dims "
     "hidden width height shape channel channels param params parameters flops tflops mfu file "
     "files shard "
     "shards partition level version attempt attempts retry retries try code status errno exit "
     "line lines "
     "signal col column columns offset buffer max limit target goal fan power watt watts "
     "volt tensor tensors all_reduce all_reduces packs "
     "incarnation generation epsilon alpha gamma scale entropy kl dropout seen_gb capacity "
     "threshold server "
     "speicher größe mémoire taille memoria tamaño memória tamanho dimensione память 内存 显存 "
     "学习率 精度 准确率 "
     "メモリ 学習率 精度 학습률 정확도 précision лр точность"},
    {kWordPer | kWordOther,
     "per rate speed throughput fps ips sps qps tps velocity bandwidth geschwindigkeit "
     "vitesse velocidad velocità скорость 速度 吞吐 速率 속도 处理速度"},
    {kWordAux,
     "eval evaluate evaluating evaluation evaluator valid validate validating validation val dev "
     "test testing "
     "tests predict predicting prediction predictions inference infer load loading loaded loader "
     "download "
     "downloading downloaded upload uploading map mapping mapped save saving saved restore "
     "restoring restored "
     "resume resuming resumed prefetch prefetching prefetched warmup warm tokenize tokenizing "
     "tokenizer "
     "preprocess preprocessing cache caching cached shuffle shuffling filling fill extract "
     "extracting unpack "
     "unpacking convert converting export exporting copy copying scan scanning generate generating "
     "generation "
     "compile compiling autotune autotuning calibrate calibration benchmark profile profiling "
     "heartbeat "
     "validierung auswertung prüfung laden lade geladen speichere gespeichert sichern évaluation "
     "évaluer "
     "chargement sauvegarde téléchargement evaluación validación cargando carga guardando guardado "
     "avaliação "
     "validação carregando salvando valutazione validazione caricamento salvataggio walidacja "
     "ewaluacja "
     "ładowanie zapis zapisano оценка валидация проверка загрузка загружено сохранение сохранено "
     "прогрев "
     "doğrulama değerlendirme yükleme kaydetme 評価 検証 読み込み 保存 评估 验证 测试 加载 预热 "
     "평가 검증 저장"},
    {kWordFiller,
     "of after in is are was at for to by with from the a an and or on no nr done now so far this "
     "es è é jest är er "
     "that as "
     "has have had been nach von für der die das bei mit und ist sur de du des le la les après et "
     "el los las "
     "en con del por para do da dos das com di dopo il lo i na po w z за после из на до в и 第 の "
     "は のうち "
     "avg mean average running smoothed smooth ema mittel moyenne media мean new cur curr current "
     "currently "
     "now tf tensor array variable numpy np float32 float64 float16 int32 int64 value item got "
     "info train "
     "training trained trainer run phase mode main root stdout rank0 metrics stats log logs msg "
     "message "
     "summary output result results progress entraînement entrenamiento treino обучение 训练 学習 "
     "훈련"},
    {kWordCount,
     "idx index num count cnt counter number nr no n id seen processed consumed done completed so "
     "far "
     "global cur current curr train training total sum all overall this optimizer opt model micro "
     "inner "
     "outer value val_ raw num_ nb nbr anzahl nombre número numero liczba число 数 数量 总"},
    {kWordBegin,
     "begin begins beginning beginne start starts starting started starte entering enter "
     "début debut commence démarrage inicio iniciando empieza início inizio rozpoczęcie начало "
     "начат начинаем başladı 开始 開始 시작"},
    {kWordDone,
     "done finished finish complete completed end ended ok ready fertig beendet abgeschlossen "
     "terminé "
     "terminée fini terminado completado concluído finito completato zakończono завершен завершён "
     "готово конец bitti 完成 结束 終了 완료"},
    {kWordSave,
     "saved saving save saves checkpoint ckpt checkpoints snapshot gespeichert sauvegardé guardado "
     "salvo salvato zapisano сохранен сохранено сохранён 保存 저장"},
    {kWordRestore,
     "restore restored restoring resume resumed resuming reload reloaded continuing "
     "wiederhergestellt "
     "restauré restaurado ripristinato восстановлен 恢复 復元 복원"},
    {kWordPercent, "percent pct percentage prozent процент 百分比"},
};

using WordMap = std::unordered_map<std::string_view, std::uint32_t>;

// Scripts written without blanks between words: CJK, kana and Hangul take three bytes from E1 on.
bool is_unspaced(std::string_view word) {
  const auto first = static_cast<unsigned char>(word.front());
  return first >= 0xE3 && first <= 0xED;
}

void for_each_listed(std::string_view words, const auto& visit) {
  std::size_t begin = 0;
  while (begin < words.size()) {
    std::size_t end = words.find(' ', begin);
    if (end == std::string_view::npos) end = words.size();
    if (end > begin) visit(words.substr(begin, end - begin));
    begin = end + 1;
  }
}

WordMap build_words() {
  WordMap map;
  for (const WordList& list : kLists)
    for_each_listed(list.words, [&](std::string_view w) { map[w] |= list.classes; });
  return map;
}

const WordMap& words() {
  static const WordMap map = build_words();
  return map;
}

// Words of scripts without blanks, found anywhere in a run of text.
const std::vector<std::pair<std::string_view, std::uint32_t>>& unspaced_words() {
  static const auto list = [] {
    std::vector<std::pair<std::string_view, std::uint32_t>> out;
    for (const WordList& l : kLists)
      for_each_listed(l.words, [&](std::string_view w) {
        if (is_unspaced(w)) out.emplace_back(w, l.classes);
      });
    return out;
  }();
  return list;
}

// Classes that a compound inherits from its last part: "trainingsschritt", "minibatch".
constexpr std::uint32_t kInherited = kWordStep | kWordLoss | kWordEpoch;

std::uint32_t compound_classes(std::string_view word) {
  for (std::size_t cut = 2; cut + 4 <= word.size(); ++cut) {
    const auto it = words().find(word.substr(cut));
    if (it == words().end() || (it->second & kInherited) == 0) continue;
    const auto head = words().find(word.substr(0, cut));
    const std::uint32_t head_classes = head == words().end() ? 0 : head->second;
    return (it->second & kInherited) | (head_classes & (kWordNotLoss | kWordAux));
  }
  return 0;
}

bool is_word_byte(char c) {
  return is_alpha(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// Parts of a key: cut at everything that is no letter or digit, and where lower case turns upper.
std::vector<std::string> key_parts(std::string_view key) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char c = key[i];
    const bool digit = is_digit(c);
    if (!is_word_byte(c) && !digit) {
      if (!parts.back().empty()) parts.emplace_back();
      continue;
    }
    const bool camel = i > 0 && c >= 'A' && c <= 'Z' && key[i - 1] >= 'a' && key[i - 1] <= 'z';
    if (camel && !parts.back().empty()) parts.emplace_back();
    parts.back() += c;
  }
  if (parts.back().empty()) parts.pop_back();
  for (std::string& part : parts) part = utf8_lower(part);
  return parts;
}

double unit_of(std::uint32_t classes) {
  if (classes & kWordMicro) return 1e-6;
  if (classes & kWordMilli) return 1e-3;
  if (classes & kWordSecond) return 1;
  if (classes & kWordMinute) return 60;
  return 0;
}

constexpr std::uint32_t kAnyUnit = kWordSecond | kWordMilli | kWordMicro | kWordMinute;

// What the parts of a key say together.
struct PartSum {
  std::uint32_t all = 0;         // classes of all parts
  std::uint32_t before_per = 0;  // of those before "/" or "per"
  std::uint32_t after_per = 0;
  bool per = false;
  double unit = 0;
  std::size_t parts = 0;
};

// A slash divides where a unit of time or a step stands on its other side ("examples/sec",
// "ms/step"); elsewhere it only groups names ("train/loss").
bool divides(std::uint32_t before, std::string_view behind) {
  std::uint32_t after = 0;
  for (const std::string& part : key_parts(behind)) after |= word_classes(part);
  if (after & kAnyUnit) return true;
  return (before & (kAnyUnit | kWordTime)) != 0 &&
         (after & (kWordStep | kWordSamples | kWordTokens));
}

PartSum sum_parts(std::string_view key) {
  PartSum sum;
  std::size_t begin = 0;
  while (begin <= key.size()) {
    const std::size_t slash = std::min(key.find('/', begin), key.size());
    for (const std::string& part : key_parts(key.substr(begin, slash - begin))) {
      const std::uint32_t classes = word_classes(part);
      ++sum.parts;
      if (part == "per") {
        sum.per = true;
        continue;
      }
      sum.all |= classes;
      (sum.per ? sum.after_per : sum.before_per) |= classes;
      if (sum.unit == 0) sum.unit = unit_of(classes);
    }
    if (slash < key.size() && divides(sum.before_per, key.substr(slash + 1))) sum.per = true;
    begin = slash + 1;
  }
  return sum;
}

Quantity judge_ratio(const PartSum& sum) {
  const std::uint32_t numerator = sum.before_per;
  const bool time_above = (numerator & (kAnyUnit | kWordTime)) != 0;
  if (time_above && (sum.after_per & kWordStep)) return Quantity::kStepTime;
  return Quantity::kRate;
}

}  // namespace

std::uint32_t word_classes(std::string_view word) {
  if (word.empty() || word.size() > 64) return 0;
  const std::string lower = utf8_lower(word);
  std::uint32_t classes = 0;
  if (const auto it = words().find(lower); it != words().end()) classes = it->second;
  if (classes == 0) classes = compound_classes(lower);
  if (classes == 0 && static_cast<unsigned char>(lower.front()) >= 0xE3) {
    for (const auto& [unspaced, c] : unspaced_words())
      if (lower.find(unspaced) != std::string::npos) classes |= c;
  }
  return classes;
}

KeyMeaning judge_key(std::string_view key) {
  const PartSum sum = sum_parts(key);
  KeyMeaning meaning;
  meaning.unit_seconds = sum.unit;
  const auto is = [&](std::uint32_t classes) { return (sum.all & classes) != 0; };
  const std::uint32_t other = sum.all & ~(kWordCount | kWordFiller);
  if (sum.per && sum.parts > 1) {
    meaning.quantity = judge_ratio(sum);
  } else if (is(kWordPer)) {
    meaning.quantity = is(kWordOther) && (other & (kWordStep | kWordSamples | kWordTokens)) == 0
                           ? Quantity::kOther
                           : Quantity::kRate;
  } else if (is(kWordLoss)) {
    meaning.quantity = is(kWordNotLoss | kWordTime) ? Quantity::kOther : Quantity::kLoss;
    meaning.exact_loss = sum.parts == 1 && utf8_lower(key) == "loss";
  } else if (is(kWordWait)) {
    meaning.quantity = Quantity::kTime;
  } else if (is(kWordTime | kAnyUnit)) {
    meaning.quantity = is(kWordStep) ? Quantity::kStepTime : Quantity::kTime;
  } else if (is(kWordOther)) {
    meaning.quantity = Quantity::kOther;
  } else if (is(kWordSamples)) {
    meaning.quantity = Quantity::kSamples;
  } else if (is(kWordTokens)) {
    meaning.quantity = Quantity::kTokens;
  } else if (is(kWordStep)) {
    meaning.quantity = Quantity::kStep;
  } else if (is(kWordEpoch)) {
    meaning.quantity = Quantity::kEpoch;
  } else if (is(kWordPercent)) {
    meaning.quantity = Quantity::kPercent;
  }
  return meaning;
}

bool any_word(std::string_view text, std::uint32_t classes) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (!is_word_byte(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    for (const std::string& part : key_parts(text.substr(i, end - i)))
      if (word_classes(part) & classes) return true;
    i = end;
  }
  return false;
}

}  // namespace tfpm
