"""More ways to print a step, unlike those of loop_dialects.py: tables with one head, nested JSON, ranges, other scripts.

Same contract: name -> Dialect, and no rule of the program names any of them.
"""
import datetime

from dialect import Dialect, comma, e4, f4, js, line


def once(head, row):
    """A table whose head is printed once, before its first row."""
    return Dialect(lambda f: (head(f) if f.step == 1 else "") + row(f))


def unix(f):
    return f.when.replace(tzinfo=datetime.timezone.utc).timestamp()


def loguru_colours(f):
    when = f.when.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    return (f"\x1b[32m{when}\x1b[0m | \x1b[1mINFO    \x1b[0m | \x1b[36mloop\x1b[0m:\x1b[36mfit\x1b[0m:\x1b[36m71\x1b[0m - "
            f"\x1b[1m\x1b[33mupd\x1b[0m={f.step} \x1b[33mxent\x1b[0m={f4(f.loss)}\x1b[0m\n")


def open_bar(f):
    """A bar without a known total counts on, with a rate."""
    return f"\r{f.step}it [00:{f.step % 60:02}, {11 + f.step % 3}.{f.step % 10}it/s, loss={f4(f.loss)}]"


def redraws(f):
    """Drawn twice a step: once without, once with the value."""
    head = f"\r{f.step * 100 // f.total:>3}%|{'█' * (f.step * 10 // f.total):<10}| {f.step}/{f.total} [00:0{f.step % 10}<00:01, 1{f.step % 4}.1it/s"
    return head + "]" + head + f", err={f4(f.loss)}]"


def pretty_json(f):
    return f'{{\n  "update": {f.step},\n  "metrics": {{\n    "loss": {js(f.loss)},\n    "lr": 0.001\n  }}\n}}\n'


def box_table(f):
    top = "┏━━━━━━┳━━━━━━━━━━┳━━━━━━━┓\n┃ Iter ┃ Verlust  ┃ Rate  ┃\n┡━━━━━━╇━━━━━━━━━━╇━━━━━━━┩\n" if f.step == 1 else ""
    return top + f"│ {f.step:>4} │ {f4(f.loss):>8} │ 12.{f.step % 10}  │\n"


def markdown(f):
    head = "| update | objective | seconds |\n|-------:|----------:|--------:|\n" if f.step == 1 else ""
    return head + f"| {f.step} | {f4(f.loss)} | 0.1{f.step % 9} |\n"


def tf_repr(f):
    return f"step {f.step} loss <tf.Tensor: shape=(), dtype=float32, numpy={f4(f.loss)}>\n"


RARE = {
    # tables
    "tsv": once(lambda f: "step\tloss\tlr\tgrad\n", lambda f: f"{f.step}\t{f4(f.loss)}\t0.001\t1.{f.step % 7}\n"),
    "csv": once(lambda f: "epoch,step,train_loss,lr\n", lambda f: f"{f.epoch},{f.step},{f4(f.loss)},0.001\n"),
    "csv quoted": once(lambda f: '"iter","nll"\n', lambda f: f'"{f.step}","{f4(f.loss)}"\n'),
    "csv semicolons": once(lambda f: "Schritt;Verlust;Rate\n", lambda f: f"{f.step};{comma(f.loss)};{1 + f.step % 3},5\n"),
    "csv loss first": once(lambda f: "loss,acc,step\n", lambda f: f"{f4(f.loss)},0.{f.step % 9}1,{f.step}\n"),
    "box table": Dialect(box_table),
    "markdown": Dialect(markdown),
    "wide columns": once(lambda f: "      iter        loss      gnorm   t(ms)\n", lambda f: f"{f.step:>10}  {f4(f.loss):>10}  {1 + f.step % 5:>9}.1  {100 + f.step % 7:>6}\n"),
    # colours and bars
    "loguru colours": Dialect(loguru_colours),
    "open bar": Dialect(open_bar),
    "redraws": Dialect(redraws),
    "colours inside": line(lambda f: f"\x1b[36mstep\x1b[0m=\x1b[33m{f.step}\x1b[0m \x1b[36mloss\x1b[0m=\x1b[33m{f4(f.loss)}\x1b[0m"),
    "emoji": line(lambda f: f"🚀 {f.step}/{f.total} ➜ 🔥 {f4(f.loss)} ⏱ 0.1{f.step % 7}s"),
    "crlf": Dialect(lambda f: f"update {f.step}: xent {f4(f.loss)}\r\n"),
    # order of the fields
    "step last": line(lambda f: f"loss {f4(f.loss)} at step {f.step}"),
    "step behind": line(lambda f: f"{f4(f.loss)} <- cost [{f.step}]"),
    "indexed": line(lambda f: f"loss[{f.step}] = {f4(f.loss)}"),
    "at sign": line(lambda f: f"loss@{f.step}: {f4(f.loss)}"),
    "counted after": line(lambda f: f"mean objective {f4(f.loss)} after {f.step} updates"),
    "done sentence": line(lambda f: f"Finished {f.step} of {f.total} batches, the cost is now {f4(f.loss)}."),
    "range": line(lambda f: f"iter {f.step - 1}-{f.step}: loss {f4(f.loss)}"),
    # numbers
    "scientific": line(lambda f: f"step {f.step:.4e} loss {e4(f.loss)}"),
    "thousands": Dialect(lambda f: f"Step {f.step + 1200:,}: loss {f4(f.loss)}, tokens {f.step * 12288:,}\n", base=1200),
    "padded": line(lambda f: f"[{f.step:06}] {f4(f.loss)}"),
    "hash": line(lambda f: f"#{f.step} J={f4(f.loss)}"),
    "hexadecimal": line(lambda f: f"iter=0x{f.step:04x} loss={f4(f.loss)}"),
    "short floats": line(lambda f: f"it={float(f.step)} | L={f4(f.loss)}"),
    "glued": line(lambda f: f"E{f.epoch:02}-S{f.step:05} loss{f4(f.loss)}"),
    # structures
    "nested dict": line(lambda f: f"{f.lead} INFO {{'loss': {{'total': {js(f.loss)}, 'l2': 0.0{1 + f.step % 8}}}, 'step': {f.step}}}"),
    "nested json": line(lambda f: '{"event": "train", "data": {"progress": {"step": %d, "of": %d}, "metrics": {"loss": %s, "acc": 0.%d}}}' % (f.step, f.total, js(f.loss), f.step % 10)),
    "zap json": line(lambda f: '{"level":"info","ts":%.3f,"caller":"fit.go:88","msg":"update","n":%d,"objective":%s}' % (unix(f), f.step, js(f.loss))),
    "json strings": line(lambda f: '{"severity":"INFO","step":"%d","loss":"%s"}' % (f.step, f4(f.loss))),
    "pretty json": Dialect(pretty_json),
    "yaml documents": Dialect(lambda f: f"---\nstep: {f.step}\nloss: {f4(f.loss)}\n"),
    "ini": Dialect(lambda f: f"[update.{f.step}]\nloss = {f4(f.loss)}\n"),
    "series": Dialect(lambda f: f"step    {f.step:>12.6f}\nloss    {f.loss:>12.6f}\ndtype: float64\n"),
    "quoted logfmt": line(lambda f: f'level=info step="{f.step}" loss="{f4(f.loss)}"'),
    "query string": line(lambda f: f"GET /metrics?step={f.step}&loss={f4(f.loss)}&lr=0.001"),
    "double colons": line(lambda f: f"step::{f.step} cost::{f4(f.loss)}"),
    "pipes": line(lambda f: f"step {f.step} || loss {f4(f.loss)} || ppl {11 + f.step % 3}.1"),
    "torch tensor": line(lambda f: f"step={f.step} loss=tensor({f4(f.loss)}, device='cuda:0', grad_fn=<NllLossBackward0>)"),
    "tf tensor": Dialect(tf_repr),
    "many losses": line(lambda f: f"[train][{f.step}] loss_box=0.{f.step % 10}3 loss_cls=1.{f.step % 7} loss={f4(f.loss)}"),
    "rank prefix": line(lambda f: f"[rank{f.task}]: it {f.step} crit {f4(f.loss)}"),
    "unix stamp": line(lambda f: f"{unix(f):.3f} {f.step} {f4(f.loss)}"),
    "java": line(lambda f: f"{f.lead} [main] INFO  com.acme.Trainer - Iteration={f.step}; Err={f4(f.loss)};"),
    "wandb": line(lambda f: f"wandb: train/step {f.step} train/loss {f4(f.loss)} train/epoch {f.step / f.per_epoch:.2f} _runtime {f.step * 3}"),
    "micro steps": line(lambda f: f"micro {f.step * 4} update {f.step} loss {f4(f.loss)}"),
    "begin and end": Dialect(lambda f: f"begin step {f.step}\nend step {f.step} loss {f4(f.loss)}\n"),
    "steps in epochs": line(lambda f: f"epoch={f.epoch} step={f.batch} loss={f4(f.loss)}"),
    "epoch dot step": line(lambda f: f"{f.epoch}.{f.batch:03}: loss={f4(f.loss)} step={f.step}"),
    # other languages
    "japanese": line(lambda f: f"【学習】ステップ {f.step}／{f.total}　損失値：{f4(f.loss)}"),
    "japanese glued": line(lambda f: f"学習回数{f.step}回目、誤差は{f4(f.loss)}です"),
    "chinese": line(lambda f: f"第{f.step}步，训练损失：{f4(f.loss)}"),
    "traditional chinese": line(lambda f: f"訓練步數 {f.step}，損失函數值 {f4(f.loss)}"),
    "german": line(lambda f: f"Trainingsschritt {f.step} von {f.total}: Fehler {comma(f.loss)}"),
    "russian": line(lambda f: f"Шаг №{f.step} из {f.total} — значение функции потерь: {comma(f.loss)}"),
    "french": line(lambda f: f"Étape n° {f.step} sur {f.total} : perte = {comma(f.loss)}"),
    "spanish": line(lambda f: f"Iteración {f.step} de {f.total}: la pérdida es {comma(f.loss)}"),
    "polish": line(lambda f: f"Krok {f.step}, wartość straty {comma(f.loss)}"),
    "turkish": line(lambda f: f"{f.step}. adım tamamlandı, kayıp: {comma(f.loss)}"),
    "hindi": line(lambda f: f"चरण {f.step} हानि {f4(f.loss)}"),
    "greek": line(lambda f: f"βήμα {f.step}: απώλεια {comma(f.loss)}"),
    "hebrew": line(lambda f: f"צעד {f.step} מתוך {f.total} הפסד {f4(f.loss)}"),
    "thai": line(lambda f: f"ขั้นตอนที่ {f.step} ค่าสูญเสีย {f4(f.loss)}"),
    "hungarian": line(lambda f: f"{f.step}. lépés: veszteség {comma(f.loss)}"),
    # order without numbers of steps
    "percent only": Dialect(lambda f: f"\r[{'=' * (f.step * 20 // f.total):<20}] {f.step * 100 / f.total:.1f}% loss {f4(f.loss)}", steps=False),
    "tokens seen": Dialect(lambda f: f"tokens={f.step * 12288} nats={f4(f.loss)}\n", steps=False),
    "images seen": Dialect(lambda f: f"Train [{f.step * 64}/{f.total * 64} ({f.step * 100 // f.total}%)]\tLoss: {f4(f.loss)}\n", steps=False),
    "epoch fraction only": Dialect(lambda f: f"ep {f.step / f.per_epoch:.3f} obj {f4(f.loss)}\n", steps=False),
}
