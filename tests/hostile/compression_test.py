"""Small files that unpack to much more, through the whole program: its time, its memory, and what it says. Sizes grow with TFPM_ALL=1."""

import bz2
import gzip
import io
import json
import lzma
import os
import subprocess
import tarfile
import threading
import time
import unittest
import zipfile

import support

# Bytes a bomb unpacks to. What a reader may be made to read is bounded by its stored size only (bundles of 100 GB are honest), so time is judged per size.
ALL = os.environ.get("TFPM_ALL") == "1"
SIZE = (1 << 30) if ALL else (16 << 20)
KINDS = ("gz", "zst", "xz", "bz2", "zip") if ALL else ("gz", "zst", "zip")
SECONDS_PER_GIB = 30
SECONDS = 5
MEMORY_KIB = 64 * 1024
PIECE = b"a" * (1 << 20)
LINES = (b"x" * 63 + b"\n") * (1 << 14)


def compressed(kind, piece):
    """SIZE bytes of `piece` again and again, packed without being held."""
    if kind == "zst":
        out = subprocess.Popen(["zstd", "-qc", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=lambda: ([out.stdin.write(piece) for _ in range(SIZE // len(piece))], out.stdin.close())).start()
        with out:
            return out.stdout.read()
    if kind == "gz":
        packer = io.BytesIO()
        with gzip.GzipFile(fileobj=packer, mode="wb", compresslevel=1, mtime=0) as f:
            for _ in range(SIZE // len(piece)):
                f.write(piece)
        return packer.getvalue()
    if kind == "zip":
        packer = io.BytesIO()
        with zipfile.ZipFile(packer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z, z.open("worker-0.log", "w", force_zip64=True) as f:
            for _ in range(SIZE // len(piece)):
                f.write(piece)
        return packer.getvalue()
    packer = lzma.LZMACompressor(preset=0) if kind == "xz" else bz2.BZ2Compressor(1)
    return b"".join([packer.compress(piece) for _ in range(SIZE // len(piece))] + [packer.flush()])


def tar_of(files, mode):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


def nested_zip(depth):
    data = b"step 1 loss 0.5\n"
    for level in range(depth):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr(f"level-{level}.zip" if level else "worker-0.log", data)
        data = out.getvalue()
    return data


@unittest.skipIf(support.SANITIZE, "sanitizers take memory and time of their own")
class Compression(support.Case):
    def measured(self, path):
        """Processor seconds, peak memory in KiB and findings of one run on one thread."""
        out = path + ".out"
        process = subprocess.Popen([support.TFPM, "analyze", path, "-o", out, "-q", "--threads", "1"], cwd=self.dir, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10 * support.TIMEOUT
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertLess(time.monotonic(), deadline)
        self.assertIn(process.returncode, (0, 3), path)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.path.join(self.dir, out)

    def idle(self):
        with open(self.path("idle.log"), "wb") as f:
            f.write(b"step 1 loss 0.5\n")
        return self.measured("idle.log")

    def check(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        seconds, memory, out = self.measured(name)
        self.assertLess(seconds, SECONDS + SECONDS_PER_GIB * SIZE / (1 << 30), name)
        self.assertLess(memory - self.idle_memory, MEMORY_KIB, name)
        return out

    def setUp(self):
        super().setUp()
        _, self.idle_memory, _ = self.idle()

    def test_one_line_and_many(self):
        for kind in KINDS:
            for content, piece in (("line", PIECE), ("lines", LINES), ("zeros", bytes(1 << 20))):
                with self.subTest(kind=kind, content=content):
                    out = self.check(f"{content}.log.{kind}", compressed(kind, piece))
                    said = self.said(out)
                    if content == "line":
                        self.assertIn("lines longer than 1 MiB", said)
                    if content == "zeros":
                        self.assertIn("nothing but NUL bytes", said)

    def said(self, out):
        """Everything that a run says about members and problems."""
        with open(os.path.join(out, "findings.json"), encoding="utf-8") as f:
            findings = json.load(f)
        return json.dumps([findings["problems"], findings["unread"]])

    def test_packed_again(self):
        """A bomb packed twice is a few hundred bytes; packed into an archive of archives it is met below them."""
        once = compressed("gz", PIECE)
        for name, data in (("worker-0.log.gz.gz", gzip.compress(once, mtime=0)), ("logs.tar.zst", subprocess.run(
                ["zstd", "-qc"], input=tar_of({"worker-0.log.gz": once}, "w"), stdout=subprocess.PIPE, check=True).stdout),
                ("outer.zip", self.zipped("inner.tgz", tar_of({"worker-0.log.gz": once}, "w:gz")))):
            with self.subTest(name):
                self.assertIn("lines longer than 1 MiB", self.said(self.check(name, data)))

    def zipped(self, name, data):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr(name, data)
        return out.getvalue()

    def test_bomb_inside_an_archive(self):
        for name in ("kubectl.json", "pods.yaml", "worker-0.xplane.pb", "events.out.tfevents.1.h", "host.trace.json.gz", "ckpt-1.index", "a.keras"):
            packed = compressed("gz", PIECE) if name.endswith(".gz") else b""
            data = packed or {"kubectl.json": b'{"items": [' + b"[" * (1 << 22), "pods.yaml": b"kind: Pod\na: &a [x]\n" + b"b: [*a]\n" * (1 << 19)}.get(
                name, b"\x0a" * (1 << 24))
            with self.subTest(name=name):
                self.check(name + ".tgz", tar_of({name: data}, "w:gz"))

    def test_zips_in_zips(self):
        out = self.check("nested.zip", nested_zip(40))
        self.assertIn("archives inside each other", self.said(out))


if __name__ == "__main__":
    support.main()
