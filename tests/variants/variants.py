#!/usr/bin/env python3
"""Runs tfpm on variants of bundles with known truth: evidence taken away, clocks shifted, files renamed or packed.

  variants.py TFPM BUNDLES_DIR [-k TEXT] [-v VARIANT]

BUNDLES_DIR holds <id>/ or <id>.tar.zst beside <id>.truth.json. For every variant the table says how many bundles keep
class and workers, how many abstain, and how many name a wrong task. The exit code is 1 when a variant that must change
nothing changes a verdict, or when any variant makes tfpm name a task that the truth does not name at 'established'.
"""
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

EPOCH = re.compile(rb"(?<=[ :])(1[6-9]\d{8})(\.\d{3,9})(?=[ ,}\]])")
ISO = re.compile(rb"\b(20\d\d-\d\d-\d\d)([ T])(\d\d:\d\d:\d\d)([.,]\d{1,9})?")
CLOCK_ONLY = re.compile(rb"(?m)^\[(\d\d):(\d\d):(\d\d)\] ")
STAMPS = re.compile(rb"(?m)^(20\d\d-\d\d-\d\d[ T][\d:.,]+Z?|\[\d\d:\d\d:\d\d\]) ")


def unpack(path, out):
    if os.path.isdir(path):
        shutil.copytree(path, out)
        for root, dirs, files in os.walk(out):
            for n in dirs + files:
                os.chmod(os.path.join(root, n), 0o755)
        os.chmod(out, 0o755)
        return
    os.mkdir(out)
    subprocess.run(["tar", "--zstd", "-xf", path, "-C", out], check=True)
    inner = os.listdir(out)
    if len(inner) == 1 and os.path.isdir(os.path.join(out, inner[0])):
        for n in os.listdir(os.path.join(out, inner[0])):
            shutil.move(os.path.join(out, inner[0], n), os.path.join(out, n))


def files(root):
    for base, _, names in os.walk(root):
        for n in sorted(names):
            yield os.path.join(base, n)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def edit(path, change):
    data = read(path)
    new = change(data)
    if new != data:
        with open(path, "wb") as f:
            f.write(new)


def retime(data, change):
    """Every stamp at `change(seconds since the epoch)`; one without a date is taken to be of the day of the last with one."""
    day = [0]

    def epoch(m):
        moved = change(float(m.group(0)))
        digits = len(m.group(2) or b"") - 1
        return f"{moved:.{max(digits, 0)}f}".encode()

    def iso(m):
        at = datetime.datetime.strptime((m.group(1) + b" " + m.group(3)).decode(), "%Y-%m-%d %H:%M:%S")
        fraction = m.group(4) or b""
        seconds = at.replace(tzinfo=datetime.timezone.utc).timestamp() + float("0." + (fraction[1:].decode() or "0"))
        day[0] = seconds // 86400 * 86400
        moved = change(seconds)
        text = datetime.datetime.fromtimestamp(int(moved // 1), datetime.timezone.utc)
        digits = len(fraction) - 1
        tail = fraction[:1] + f"{moved % 1:.{digits}f}"[2:].encode() if digits > 0 else b""
        return text.strftime("%Y-%m-%d").encode() + m.group(2) + text.strftime("%H:%M:%S").encode() + tail

    def clock(m):
        s = int(change(day[0] + int(m.group(1)) * 3600 + int(m.group(2)) * 60 + int(m.group(3)))) % 86400
        return b"[%02d:%02d:%02d] " % (s // 3600, s // 60 % 60, s % 60)

    return CLOCK_ONLY.sub(clock, ISO.sub(iso, EPOCH.sub(epoch, data)))


def shift_stamps(data, seconds):
    return retime(data, lambda t: t + seconds)


def logs(root):
    return [p for p in files(root) if re.search(r"logs/(worker|chief|ps|node)[^/]*$", p)]


def drop(pattern):
    def run(root, truth):
        for p in list(files(root)):
            if re.search(pattern, p[len(root) + 1:]):
                os.remove(p)
    return run


def shift_one(which, seconds):
    def run(root, truth):
        all_logs = logs(root)
        if all_logs:
            edit(all_logs[which % len(all_logs)], lambda d: shift_stamps(d, seconds))
    return run


def without_stamps(root, truth):
    for p in logs(root):
        edit(p, lambda d: STAMPS.sub(b"", EPOCH.sub(rb"0000000000\2", d)))


def drift_all(root, truth):
    """Each task's clock runs off by another rate, at most 100 ppm."""
    all_logs = logs(root)
    for i, p in enumerate(all_logs):
        rate = 1e-4 * (i + 1) / len(all_logs) * (-1) ** i
        first = [None]

        def drift(t):
            first[0] = t if first[0] is None else first[0]
            return t + (t - first[0]) * rate
        edit(p, lambda d: retime(d, drift))


def offsets_all(root, truth):
    """Each task's clock is off by another amount, at most 12 hours."""
    for i, p in enumerate(logs(root)):
        edit(p, lambda d: shift_stamps(d, (-1) ** i * (37 + 1301 * i) % 43200))


def rename_folder(root, truth):
    """A folder whose name carries no task's identity."""
    if os.path.isdir(os.path.join(root, "logs")):
        os.rename(os.path.join(root, "logs"), os.path.join(root, "collected"))


def duplicate_errors(root, truth):
    for p in logs(root):
        edit(p, lambda d: re.sub(rb"(?m)^(W0000[^\n]*Local rendezvous is aborting[^\n]*\n)", rb"\1" * 100, d))


ADDRESS = rb"""["'][\w.-]+:\d+["']"""
WORKERS = rb"""(?P<head>["']worker["']: *)(?P<list>\[(?:\s*""" + ADDRESS + rb"""\s*,?)+\])"""
OTHERS = rb"""(?!ps\\?["']|chief\\?["']|master\\?["']|evaluator\\?["'])\w+"""
# Only what counts workers: parameter servers, chiefs and evaluators are numbered by themselves.
TASK_NUMBER = re.compile(WORKERS + rb"""|(?P<before>worker[-_/]|workertemp_|worker/(?:replica:\d+/)?task:|'worker', task_id ?= ?"""
                         rb"""|["']type\\?["']: \\?["']""" + OTHERS + rb"""\\?["'],\s*\\?["']index\\?["']: )(?P<n>\d+)\b"""
                         rb"""|(?P<first>["']index["']: )(?P<m>\d+)(?=,\s*u?["']type["']: u?["']""" + OTHERS + rb"""["'])""")


def reorder(addresses, order):
    """The list of the workers' addresses, which is in the order of their tasks; hosts named as tasks are renamed with them."""
    items = re.findall(ADDRESS, addresses)
    if len(items) <= max(order) or all(re.search(rb"worker-\d+:", i) for i in items):
        return addresses
    moved = {order.get(k, k): item for k, item in enumerate(items)}
    places = iter(range(len(items)))
    return re.sub(ADDRESS, lambda m: moved[next(places)], addresses)


def relabel(data, order):
    """Task k becomes order[k]."""
    def new(number):
        return str(order.get(int(number), int(number))).encode()

    def swap(m):
        if m.group("list"):
            return m.group("head") + reorder(m.group("list"), order)
        if m.group("before"):
            return m.group("before") + new(m.group("n"))
        return m.group("first") + new(m.group("m"))
    return TASK_NUMBER.sub(swap, data)


def relabel_workers(root, truth):
    """Swaps the last two of the workers that are not the first; returns what became of each name.

    Among those that every list of workers has: a task whose own list is shorter (cluster-size-differs) cannot take a number
    outside it without becoming another fault, an index out of range.
    """
    texts = [p for p in files(root) if b"\0" not in read(p)]
    sizes = [len(re.findall(ADDRESS, m.group("list"))) for p in texts for m in TASK_NUMBER.finditer(read(p)) if m.group("list")]
    count = min([len([p for p in logs(root) if re.search(r"/worker-\d+\.", p)]), *sizes])
    order = {count - 1: count - 2, count - 2: count - 1} if count >= 3 else {}
    if not order:
        return {}
    moved = []
    for p in list(files(root)):
        if p in texts:
            edit(p, lambda d: relabel(d, order))
        name = relabel(p[len(root):].encode(), order).decode()
        moved.append((p, root + name))
    for old, new in moved:
        os.rename(old, old + ".moving")
    for old, new in moved:
        os.makedirs(os.path.dirname(new), exist_ok=True)
        os.rename(old + ".moving", new)
    return {f"worker-{a}": f"worker-{b}" for a, b in order.items()}


def origin_log(root, truth):
    names = truth.get("workers") or []
    return [p for p in logs(root) if any(os.path.basename(p).startswith(n + ".") for n in names)]


def drop_origin(root, truth):
    for p in origin_log(root, truth):
        os.remove(p)


def cut_origin_at(share):
    def run(root, truth):
        for p in origin_log(root, truth):
            edit(p, lambda d: d[: d.rfind(b"\n", 0, max(1, int(len(d) * share))) + 1])
    return run


def concatenate(old):
    """What the tasks of an older run had written stands before their logs."""
    def run(root, truth):
        for p in logs(root):
            earlier = os.path.join(old, "logs", os.path.basename(p))
            if os.path.exists(earlier):
                text = read(earlier)
                edit(p, lambda d: text + (b"" if text.endswith(b"\n") else b"\n") + d)
    return run


def duplicate_cascade(root, truth):
    for p in logs(root):
        edit(p, lambda d: re.sub(rb"(?m)^([^\n]*StartAbort [^\n]*\n)", rb"\1" * 100, d))


def crlf(root, truth):
    for p in logs(root):
        edit(p, lambda d: d.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


STEP_LINES = [
    re.compile(rb"(?m)^(?P<head>(?:\d+: |\[pod/[^\]]+\] )?)(?P<stamp>20\d\d-\d\d-\d\d \d\d:\d\d:\d\d),\d+ INFO train: step (?P<step>\d+) loss (?P<loss>\S+)[^\n]*$"),
    re.compile(rb"(?m)^(?P<head>)(?P<stamp>20\d\d-\d\d-\d\d \d\d:\d\d:\d\d),\d+ INFO train: loss = (?P<loss>\S+), step = (?P<step>\d+)[^\n]*$"),
    re.compile(rb"(?m)^(?P<head>)\[(?P<stamp>\d\d:\d\d:\d\d)\] global_step=(?P<step>\d+) loss=(?P<loss>\S+)$"),
]


def dialect(form):
    """Prints the same run in the words of another training loop; `form` gets step, loss and stamp."""
    def run(root, truth):
        def render(m):
            loss = m.group("loss").decode()
            text = form(int(m.group("step")), loss, m.group("stamp").decode())
            return m.group("head") + text.encode()
        for p in files(root):
            if re.search(r"logs/|slurm-\d", p):
                edit(p, lambda d: re_all(STEP_LINES, render, d))
    return run


def re_all(patterns, render, data):
    for p in patterns:
        data = p.sub(render, data)
    return data


DIALECTS = {
    "dialect pipes": lambda s, l, t: f"{t} | it {s:>6} | train/loss {l} | 12.4 it/s",
    "dialect of": lambda s, l, t: f"batch {s} of 5000, cost {l}",
    "dialect german": lambda s, l, t: f"{t} Schritt {s}: Verlust {l.replace('.', ',')}",
    "dialect update": lambda s, l, t: f">> upd={s:06d} xent:{l} gnorm:1.{s % 7}",
    "dialect loguru": lambda s, l, t: f"{t}.123 | INFO     | __main__:fit:42 - iteration={s} objective={l}",
    "dialect epochs": lambda s, l, t: f"[ep {1 + (s - 1) // 10}] {(s - 1) % 10 + 1}/10 loss={l}",
    "dialect json": lambda s, l, t: '{"event": "train", "n": %d, "metrics": {"loss": %s}}' % (s, l.replace("nan", "NaN").replace("inf", "Infinity")),
    "dialect after": lambda s, l, t: f"loss {l} after {s} updates",
}

PYTHON_STEP = re.compile(rb"(?m)^(?:[^\n]*(?:INFO train:|global_step=|\"step\":)[^\n]*\n|Epoch \d[^\n]*\n|[\r\b][^\n]*\n)")


def split_streams(root, truth):
    """What the loop prints goes to one file, everything else to another, as batch systems do."""
    for p in logs(root):
        data = open(p, "rb").read()
        base = re.sub(r"\.(log|out)$", "", p)
        os.remove(p)
        open(base + ".out", "wb").write(b"".join(PYTHON_STEP.findall(data)))
        open(base + ".err", "wb").write(PYTHON_STEP.sub(b"", data))


def folder_per_task(root, truth):
    for p in logs(root):
        base = re.sub(r"\.(log|out)$", "", os.path.basename(p))
        os.makedirs(os.path.join(root, base))
        os.rename(p, os.path.join(root, base, "output.log"))


def gzip_logs(root, truth):
    for p in logs(root):
        subprocess.run(["gzip", p], check=True)


def other_names(root, truth):
    """File names that say nothing: hosts only."""
    for i, p in enumerate(logs(root)):
        os.rename(p, os.path.join(os.path.dirname(p), f"node{40 + 7 * i}.log"))
    for p in list(files(root)):
        if re.search(r"tf_config/|env/", p):
            os.remove(p)


# name -> (change, exact): exact variants must not change class, workers or step.
VARIANTS = {
    "plain": (lambda root, truth: None, True),
    "shift-first +3723s": (shift_one(0, 3723), True),
    "shift-last -7h": (shift_one(-1, -25200), True),
    "offsets of all": (offsets_all, True),
    "drift of all": (drift_all, True),
    "cascade x100": (duplicate_cascade, True),
    "errors x100": (duplicate_errors, True),
    "folder renamed": (rename_folder, True),
    "crlf": (crlf, True),
    "gzip logs": (gzip_logs, True),
    "folder per task": (folder_per_task, True),
    "split streams": (split_streams, False),
    "host names only": (other_names, False),

    "no launcher": (drop(r"launcher\.log|jobcomp|scontrol"), False),
    "no tf_config": (drop(r"tf_config/"), False),
    "no kernel": (drop(r"dmesg|kernel/"), False),
    "no stacks": (drop(r"stacks/"), False),
    "no checkpoints": (drop(r"ckpt/|workertemp|model/"), False),
    "no stamps": (without_stamps, False),
    "no leader log": (drop(r"logs/(worker-0|chief-0)\.log"), False),
    "origin log cut": (cut_origin_at(0.8), False),
    "no origin log": (drop_origin, False),
}
VARIANTS.update({name: (dialect(form), False) for name, form in DIALECTS.items()})



def analyse(tfpm, path, work):
    out = os.path.join(work, "out")
    p = subprocess.run([tfpm, "analyze", path, "-o", out, "--force"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if p.returncode not in (0, 3):
        return None, p.stderr.decode(errors="replace").strip()[-200:]
    return json.load(open(os.path.join(out, "findings.json")))["verdict"], ""


def named_wrong(verdict, truth):
    allowed = truth.get("workers")
    if allowed is None:
        sets = truth.get("workers_any")
        if sets is None:
            return False
        allowed = sorted({w for s in sets for w in s})
    return any(w not in allowed for w in verdict["workers"])


def judge(verdict, truth):
    classes = truth["class"] if isinstance(truth["class"], list) else [truth["class"]]
    ok = verdict["class"] in classes
    if "workers" in truth:
        ok = ok and sorted(verdict["workers"]) == sorted(truth["workers"])
    if ok:
        return "right"
    if verdict["status"] == "undetermined" or verdict["class"] == "undetermined":
        return "abstains"
    return "other"


def main(argv):
    if len(argv) < 2:
        print(__doc__)
        return 2
    tfpm, bundles = os.path.abspath(argv[0]), argv[1]
    key = argv[argv.index("-k") + 1] if "-k" in argv else ""
    only = argv[argv.index("-v") + 1] if "-v" in argv else ""
    ids = [n[: -len(".truth.json")] for n in sorted(os.listdir(bundles)) if n.endswith(".truth.json") and key in n]
    bad = 0
    for name, (change, exact) in VARIANTS.items():
        if only and only not in name:
            continue
        counts = {"right": 0, "abstains": 0, "other": 0}
        remarks = []
        for bid in ids:
            truth = json.load(open(os.path.join(bundles, bid + ".truth.json")))
            src = next(p for p in (os.path.join(bundles, bid + e) for e in ("", ".tar.zst")) if os.path.exists(p))
            with tempfile.TemporaryDirectory() as work:
                root = os.path.join(work, bid)
                unpack(src, root)
                change(root, truth)
                verdict, error = analyse(tfpm, root, work)
            if verdict is None:
                remarks.append(f"{bid}: {error}")
                bad += 1
                continue
            result = judge(verdict, truth)
            counts[result] += 1
            wrong = named_wrong(verdict, truth)
            if result != "right" and (exact or wrong or result == "other"):
                remarks.append(f"{bid}: {verdict['status']} {verdict['class']} {verdict['workers']} {verdict['confidence']}"
                               + ("  NAMES A WRONG TASK" if wrong else ""))
            if wrong and verdict["confidence"] == "established" or exact and name != "plain" and result == "other":
                bad += 1
        print(f"{name:20} right {counts['right']:3}  abstains {counts['abstains']:3}  other {counts['other']:3}")
        for r in remarks:
            print("    " + r)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
