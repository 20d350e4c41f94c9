"""Whole archives cut at many places: the exit code says so, the outputs are whole."""

import json

import support

# Whole runs are slow; the unit tests cut at every byte.
PLACES = 24


class Truncation(support.Case):
    def cut_everywhere(self, name, allowed):
        with open(self.path(name), "rb") as f:
            whole = f.read()
        for i in range(PLACES):
            size = 1 + (len(whole) - 2) * i // (PLACES - 1)
            with self.subTest(name=name, size=size):
                with open(self.path("cut"), "wb") as f:
                    f.write(whole[:size])
                result = self.run_tfpm("analyze", "cut", "-o", f"{name}.{i}", "--json", code=allowed)
                if result.returncode != 2:
                    json.loads(result.stdout)

    def test_tar(self):
        self.bundle()
        support.make_tar(self.path("a.tar"), self.path("job"), "job")
        # 0: too short to be known as an archive, or cut inside the zeros at the end.
        self.cut_everywhere("a.tar", (0, 2, 3))

    def test_tar_gz(self):
        self.bundle()
        support.make_tar(self.path("a.tgz"), self.path("job"), "job", "w:gz")
        self.cut_everywhere("a.tgz", (0, 2, 3))

    def test_zip(self):
        self.bundle()
        support.make_zip(self.path("a.zip"), self.path("job"))
        self.cut_everywhere("a.zip", (0, 2, 3))


if __name__ == "__main__":
    support.main()
