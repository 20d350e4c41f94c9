"""Training loops' ways to print a step: name -> Dialect. No rule of the program names any of them.

A printer gets the facts of one step and returns text; a record ends with "\n" unless it redraws its line.
"""
import datetime

from dialect import Dialect, comma, e4, f4, js, line


def bar(f, n=20, full="#", empty=" "):
    done = f.batch * n // f.per_epoch
    return full * done + empty * (n - done)


def rich(f):
    """Rich's handler leaves the time column blank while the second stays the same."""
    same = f.step % 4 != 1
    head = " " * 10 if same else f.when.strftime("[%H:%M:%S]")
    return f"{head} INFO     iter {f.step}/{f.total} • loss {f4(f.loss)} • 12.{f.step % 7} it/s          trainer.py:88\n"


def keras3(f):
    head = f"Epoch {f.epoch}/{-(-f.total // f.per_epoch)}\n" if f.batch == 1 else ""
    text = f"\r\x1b[1m{f.batch:>2}/{f.per_epoch}\x1b[0m \x1b[32m{'━' * 10}\x1b[0m\x1b[37m{'━' * 10}\x1b[0m \x1b[1m{f.per_epoch - f.batch}s\x1b[0m 61ms/step - entropie: {f4(f.loss)}"
    return head + text + ("\n" if f.batch == f.per_epoch else "")


def block(f):
    return f"step      : {f.step}\nloss      : {f4(f.loss)}\nlr        : 0.001\n----------\n"


def table(f):
    head = f"+------+----------+-------+\n| iter |     cost | queue |\n+------+----------+-------+\n" if f.batch == 1 else ""
    return head + f"| {f.step:>4} | {f4(f.loss):>8} | {f.step * 3 % 11:>5} |\n"


def megatron(f):
    return (f" iteration {f.step:>8}/{f.total:>8} | consumed samples: {f.step * 64:>12} | elapsed time per iteration (ms): 10{f.step % 7}.{f.step % 10} |"
            f" learning rate: 1.000000E-03 | global batch size:    64 | lm loss: {e4(f.loss)} | loss scale: 1.0 | grad norm: {1 + f.step % 5}.113 |"
            f" number of skipped iterations:   0 | number of nan iterations:   0 |\n")


DIALECTS = {
    # heads of other logging libraries
    "absl": line(lambda f: f.when.strftime("I%m%d %H:%M:%S.%f") + f" 140211 loop.py:77] [{f.step}/{f.total}] objective: {f4(f.loss)} | lr 1e-3"),
    "loguru": line(lambda f: f.when.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + f" | INFO     | loop.trainer:run:88 - iter {f.step} -- nll={f4(f.loss)}"),
    "rich": Dialect(rich),
    "syslog": line(lambda f: f.when.strftime("%b %d %H:%M:%S") + f" gpu17 trainer[4242]: k={f.step} E={f4(f.loss)}"),
    "basicConfig": line(lambda f: f"INFO:trainer:Iteration {f.step} finished, training cost {f4(f.loss)}"),
    "slog": line(lambda f: f.when.strftime("time=%Y-%m-%dT%H:%M:%S.000Z") + f' level=INFO msg="train step done" n={f.step} total={f.total} loss={f4(f.loss)}'),
    "bunyan": line(lambda f: '{"level":30,"time":%d,"pid":71,"msg":"train","k":%d,"L":%s}' % (f.when.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000, f.step, js(f.loss))),
    "stamp inside": line(lambda f: f"step {f.step} @ " + f.when.strftime("%Y-%m-%d %H:%M:%S") + f" -> {f4(f.loss)}"),
    # bars
    "tqdm": Dialect(lambda f: f"\repoch {f.epoch}: {f.batch * 100 // f.per_epoch:>3}%|{bar(f, 10, '█')}| {f.batch}/{f.per_epoch} [00:0{f.batch % 10}<00:01, 12.1it/s, v_num=0, train_loss={f4(f.loss)}]" + ("\n" if f.batch == f.per_epoch else "")),
    "keras words": Dialect(keras3),
    "progressbar": Dialect(lambda f: f"\rTraining: {f.step * 100 // f.total}% ({f.step} of {f.total}) |{'#' * (f.step * 10 // f.total):<10}| Elapsed Time: 0:00:{f.step % 60:02} ETA:  0:00:03 loss: {f4(f.loss)}"),
    "ansi bar": Dialect(lambda f: f"\r\x1b[2K\x1b[32mFitting\x1b[0m \x1b[35m━━━━━━\x1b[0m {f.step}/{f.total} 0:00:{f.step % 60:02} crit={f4(f.loss)}"),
    "backspaces": Dialect(lambda f: "\b" * 40 + f"[{bar(f, 12, '=', '.')}] {f.step:>4} of {f.total} cost={f4(f.loss)}"),
    # other trainers' styles
    "fairseq": line(lambda f: f.lead.split(",")[0] + f" | INFO | train_inner | epoch {f.epoch:03}: {f.batch:>6} / {f.per_epoch} loss={f4(f.loss)}, ppl={11 + f.step % 3}, wps=0, num_updates={f.step}, lr=0.001"),
    "megatron": Dialect(megatron),
    "deepspeed": line(lambda f: f"steps: {f.step} loss: {f4(f.loss)} iter time (s): 0.10{f.step % 7} samples/sec: 64{f.step % 9}.0"),
    "detectron": line(lambda f: f.when.strftime("[%m/%d %H:%M:%S d2.utils.events]: ") + f" eta: 0:00:{f.step % 60:02}  iter: {f.step}  total_loss: {f4(f.loss)}  loss_cls: 2.{f.step % 10}  time: 0.1{f.step % 9}  data_time: 0.01  lr: 0.001  max_mem: 1024M"),
    "mmcv": line(lambda f: f"{f.lead} - mmdet - INFO - Epoch [{f.epoch}][{f.batch}/{f.per_epoch}]\tlr: 1.000e-03, eta: 0:00:10, time: 0.10{f.step % 7}, data_time: 0.01, memory: 1024, loss: {f4(f.loss)}"),
    "imagenet": line(lambda f: f"Epoch: [{f.epoch - 1}][{f.batch:>3}/{f.per_epoch}]\tTime  0.10{f.step % 7} ( 0.100)\tData  0.01{f.step % 3} ( 0.01)\tLoss {e4(f.loss)} (4.1e+00)\tAcc@1   0.0{f.step % 5} (  0.00)"),
    "mxnet": line(lambda f: f"Epoch[{f.epoch - 1}] Batch [{f.batch}]\tSpeed: 64{f.step % 9}.00 samples/sec\taccuracy=0.1{f.step % 10}\tloss={f4(f.loss)}"),
    "caffe": line(lambda f: f.when.strftime("I%m%d %H:%M:%S.%f") + f"  4242 solver.py:228] Iteration {f.step} (9.{f.step % 10} iter/s, 0.1s/1 iters), loss = {f4(f.loss)}"),
    "accelerate": line(lambda f: f"{f.lead} - INFO - __main__ - Step {f.step}: {{'loss': {f4(f.loss)}, 'accuracy': 0.{f.step % 10}1}}"),
    "block": Dialect(block),
    "table": Dialect(table),
    # prints of plain values
    "tuple": line(lambda f: f"({f.step}, {f4(f.loss)})"),
    "list": line(lambda f: f"['train', {f.step}, {f4(f.loss)}, 0.001]"),
    "repr": line(lambda f: f"TrainState(step={f.step}, loss=Array({f4(f.loss)}, dtype=float32), ema=0.99)"),
    "xml": line(lambda f: f'<step n="{f.step}"><loss>{f4(f.loss)}</loss></step>'),
    "yaml": line(lambda f: f"- {{step: {f.step}, loss: {f4(f.loss)}}}"),
    "fortran": line(lambda f: f"{f.step:>10} {e4(f.loss):>16}   0.10000E-0{2 + f.step % 2}"),
    "array": line(lambda f: f"{f.step} [{f4(f.loss)}]"),
    "zero based": Dialect(lambda f: f"it {f.step - 1}: loss {f4(f.loss)}\n", base=-1),
    "tokens first": line(lambda f: f"tok {f.step * 12288} | s {f.step} | {f4(f.loss)}"),
    "epoch fraction": line(lambda f: f"epoch {f.step / f.per_epoch:.2f} step {f.step} objective {f4(f.loss)} "),
    "rounds": line(lambda f: f"--[ round {f.step} ]-- energy {f4(f.loss)} --"),
    "arrows": line(lambda f: f"t={f.step:05} ⇒ J(θ) = {f4(f.loss)}"),
    # other languages
    "italian": line(lambda f: f"{f.lead} INFO passo {f.step} di {f.total}: perdita = {comma(f.loss)}"),
    "dutch": line(lambda f: f"stap {f.step}/{f.total} verlies {comma(f.loss)}"),
    "swedish": line(lambda f: f"[arbetare {f.task}] steg {f.step}, förlust {comma(f.loss)}"),
    "korean": line(lambda f: f"스텝 {f.step} 손실 {f4(f.loss)}"),
    "ukrainian": line(lambda f: f"крок {f.step}: втрата {comma(f.loss)}"),
    "chinese epochs": line(lambda f: f"轮次 {f.epoch} 批次 {f.batch}/{f.per_epoch} 损失值 {f4(f.loss)}"),
    "arabic": line(lambda f: f"خطوة {f.step} خسارة {f4(f.loss)}"),
    "vietnamese": line(lambda f: f"bước {f.step}: mất mát {f4(f.loss)}"),
    "finnish": line(lambda f: f"askel {f.step} häviö {comma(f.loss)}"),
    "invented": line(lambda f: f"{f.lead} DEBUG zorp<{f.step}> blicket~{f4(f.loss)}"),
    # order without numbers of steps
    "samples": Dialect(lambda f: f"loss: {f4(f.loss)}  [{f.step * 64:>5}/{f.total * 64}]\n", steps=False),
    "samples seen": Dialect(lambda f: f"samples_seen={f.step * 640} mean_nll={f4(f.loss)}\n", steps=False),
    "epochs only": Dialect(lambda f: f"{{'loss': {f4(f.loss)}, 'grad_norm': 1.{f.step % 10}, 'learning_rate': 1e-3, 'epoch': {f.step / f.per_epoch:.2f}}}\n", steps=False),
}
