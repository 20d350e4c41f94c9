"""The tour of README.md shows the true output: every `$ command` of a console block is run and compared.

TFPM_UPDATE=1 writes the output of today into README.md.
"""

import os
import re
import shlex

import support

SOURCE = os.environ.get("TFPM_SOURCE", ".")
README = os.path.join(SOURCE, "README.md")
BLOCK = re.compile(r"(```console\n\$ )([^\n]*)\n(.*?)(```)", re.S)


class Readme(support.Case):
    def setUp(self):
        super().setUp()
        os.symlink(os.path.join(os.path.abspath(SOURCE), "fixtures"), self.path("fixtures"))

    def output_of(self, command):
        words = shlex.split(command)
        # The script does set-up and then runs `tfpm analyze`.
        words = ["tfpm", "analyze", *words[1:]] if words[0] == "scripts/analyze" else words
        self.assertEqual(words[0], "tfpm", command)
        return self.run_tfpm(*words[1:], env={"COLUMNS": "100"}).stdout

    def test_tour(self):
        with open(README, encoding="utf-8") as f:
            text = f.read()
        shown = BLOCK.findall(text)
        self.assertGreaterEqual(len(shown), 4)
        outputs = [self.output_of(command) for _, command, _, _ in shown]
        if os.environ.get("TFPM_UPDATE") == "1":
            fresh = iter(outputs)
            text = BLOCK.sub(lambda m: f"{m[1]}{m[2]}\n{next(fresh)}{m[4]}", text)
            with open(README, "w", encoding="utf-8") as f:
                f.write(text)
            return
        for (_, command, old, _), new in zip(shown, outputs):
            self.assertEqual(old, new, f"{command}: run this test with TFPM_UPDATE=1 and read the change")

    def test_links(self):
        with open(README, encoding="utf-8") as f:
            for target in re.findall(r"\]\(([^)#]+)\)", f.read()):
                self.assertTrue(os.path.exists(os.path.join(SOURCE, target)), target)


if __name__ == "__main__":
    support.main()
