"""The plot of a series of lives. The only module that imports matplotlib, which the extra [plot] brings."""

from pathlib import Path
from typing import Any

from gloam_lab.balance.report import CAUSES_MAX
from gloam_lab.balance.summary import Summary


class NoPlot(Exception):
    """A plot cannot be drawn or written; the text gives the reason and the solution."""


def ready(path: Path) -> None:
    """Raise NoPlot if a plot cannot be written to that file: checked before the lives are played."""
    _matplotlib()
    if not path.parent.is_dir():
        raise NoPlot(f"There is no folder {path.parent} for the plot; make it, or name another file.")


def draw(summary: Summary, title: str, path: Path) -> None:
    """Draw the depths of lives, the numbers that reached each depth, and the causes of death.

    Raises NoPlot.
    """
    figure = _matplotlib()(figsize=(10, 7.5), layout="constrained")
    figure.suptitle(title)
    shares = figure.subplot_mosaic([["histogram", "survival"], ["causes", "causes"]])
    histogram, survival, causes = shares["histogram"], shares["survival"], shares["causes"]
    depths = range(1, len(summary.survivors) + 1)
    beyond = (*summary.survivors[1:], 0)
    ended = [reached - further for reached, further in zip(summary.survivors, beyond, strict=True)]
    histogram.bar(depths, ended)
    histogram.set(
        title="Deepest level reached", xlabel="depth", ylabel="lives", xlim=(0.4, len(depths) + 0.6)
    )
    survival.step(
        depths, [100 * reached / summary.lives for reached in summary.survivors], where="mid", marker="o"
    )
    survival.set(title="Lives that reached a depth", xlabel="depth", ylabel="percent", ylim=(0, 105))
    named = summary.causes[:CAUSES_MAX][::-1]
    causes.barh([cause for cause, _ in named], [count for _, count in named], height=0.7)
    causes.set(title="Causes of death", xlabel="lives", ylim=(-0.8, max(4, len(named)) - 0.2))
    try:
        figure.savefig(path, metadata={"Software": None})
    except (OSError, ValueError) as error:
        raise NoPlot(f"The plot cannot be written to {path}: {error}.") from error


def _matplotlib() -> Any:
    """Return the class of figures: it works without a screen."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  # only plots need it
    except ImportError as error:
        raise NoPlot('A plot needs matplotlib; in a clone of Gloam: pip install ".[server,plot]"') from error
    return Figure
