"""The command line of growth: `python -m benchmarks.growth --plot FOLDER`, in the folder `tests`. `make bench-growth` runs it."""

import argparse
from pathlib import Path

from benchmarks.growth.measure import Growth, growths
from benchmarks.line_chart import line_chart


def table(rows: list[Growth]) -> str:
    """Return the growths of one subject as a table."""
    sizes = [f"{size:,.0f}" for size, _ in rows[0].points]
    head = (
        f"{'us with ' + rows[0].with_what:<34}" + "".join(f"{size:>12}" for size in sizes) + f"{'power':>8}"
    )
    lines = [
        f"{row.cost:<34}"
        + "".join(f"{cost:>12,.0f}" for _, cost in row.points)
        + f"{row.exponent:>8.2f}  {row.word}"
        for row in rows
    ]
    return "\n".join([head, *lines, ""])


def main() -> None:
    """Measure and print how costs grow; draw a picture of each subject."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument(
        "--plot", type=Path, metavar="FOLDER", help="write an SVG of each subject into a folder"
    )
    parser.add_argument("--quick", action="store_true", help="only the two smallest sizes of each subject")
    said = parser.parse_args()
    for rows in growths(quick=said.quick):
        print(table(rows), flush=True)
        if said.plot:
            said.plot.mkdir(parents=True, exist_ok=True)
            subject = rows[0].with_what
            drawn = line_chart(
                f"Costs with {subject}",
                subject,
                "us",
                {row.cost: row.points for row in rows},
                logarithmic=True,
            )
            (said.plot / f"{subject.replace(' ', '-')}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
