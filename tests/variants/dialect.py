"""What a training loop's way to print a step is made of, for the tables of dialects."""
import dataclasses
import datetime


@dataclasses.dataclass(frozen=True)
class Facts:
    task: int
    step: int  # from 1
    total: int
    per_epoch: int
    loss: float
    when: datetime.datetime  # own clock of the task

    @property
    def epoch(self):
        return 1 + (self.step - 1) // self.per_epoch

    @property
    def batch(self):
        return 1 + (self.step - 1) % self.per_epoch

    @property
    def lead(self):
        """Python logging's default head, for dialects that keep one."""
        return self.when.strftime("%Y-%m-%d %H:%M:%S,") + f"{self.when.microsecond // 1000:03}"


@dataclasses.dataclass(frozen=True)
class Dialect:
    text: object  # Facts -> str
    base: int = 0  # printed number of the first step less one
    steps: bool = True  # False: order is all it gives (samples, fractions of epochs)


def f4(v):
    return f"{v:.6f}" if v == v and abs(v) != float("inf") else str(v)


def e4(v):
    return f"{v:.6E}" if v == v and abs(v) != float("inf") else str(v)


def comma(v):
    return f4(v).replace(".", ",")


def js(v):
    return f4(v) if v == v else "NaN"


def line(form):
    return Dialect(lambda f: form(f) + "\n")
