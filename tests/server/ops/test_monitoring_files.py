"""The alerts and the dashboard for hosts: they load, their expressions are PromQL, and their metrics exist."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

SERVER = Path(__file__).parents[3] / "server"
HOSTING = (SERVER / "HOSTING.md").read_text(encoding="utf-8")
ALERTS = yaml.safe_load((SERVER / "monitoring" / "alerts.yml").read_text(encoding="utf-8"))
DASHBOARD = json.loads((SERVER / "monitoring" / "dashboard.json").read_text(encoding="utf-8"))
FOREIGN = re.compile(r"up|process_\w+")
"""Metrics of Prometheus and of its library for Python."""


def rules() -> list[dict[str, Any]]:
    return [rule for group in ALERTS["groups"] for rule in group["rules"]]


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in rules())
    for panel in DASHBOARD["panels"]:
        yield from (target["expr"].replace("$__rate_interval", "5m") for target in panel["targets"])


def metrics_of(expression: str) -> list[str]:
    """Return the metrics that an expression reads. Raises if it is no PromQL."""
    found: list[str] = []

    def note(part: object) -> None:
        if isinstance(part, promql_parser.VectorSelector):
            found.append(str(part.name))
        elif isinstance(part, promql_parser.MatrixSelector):
            found.append(str(part.vector_selector.name))

    promql_parser.walk(promql_parser.parse(expression), note)
    return found


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_an_expression_reads_metrics_that_exist(expression: str) -> None:
    """HOSTING.md lists the metrics that exist; another test compares it with a running server."""
    names = metrics_of(expression)
    assert names
    documented = set(re.findall(r"\b(gloam_\w+)", HOSTING))
    unknown = [
        name
        for name in names
        if not FOREIGN.fullmatch(name) and name.removesuffix("_bucket") not in documented
    ]
    assert unknown == []


def test_an_alert_says_how_bad_it_is_and_what_to_do() -> None:
    for rule in rules():
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}, rule
        assert rule["labels"]["severity"] in ("page", "ticket"), rule
        assert set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])) <= {"instance", "process"}
    assert len({rule["alert"] for rule in rules()}) == len(rules())


def test_panels_do_not_cover_each_other() -> None:
    covered: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not covered & cells
        covered |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
