"""The statements of a login: they find their rows by a key, and read the fields of their classes."""

from dataclasses import fields
from pathlib import Path

import pytest

from gloam_server.storage.accounts import Account, Resumption
from gloam_server.storage.sqlite import login_statements as texts
from gloam_server.storage.sqlite.sqlite_journal import open_realm


@pytest.mark.parametrize(
    "statement",
    [
        texts.ACCOUNT,
        texts.ACCOUNTS_AFTER,
        texts.RECORD_SEEN,
        texts.DEVICE,
        texts.DROP_OLD_DEVICES,
        texts.BAN,
        texts.RESUMPTION,
    ],
)
def test_a_statement_of_a_login_reads_no_whole_table(tmp_path: Path, statement: str) -> None:
    journal = open_realm(tmp_path / "world.db")
    with journal._transaction() as connection:
        values = (1,) * statement.count("?")
        plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    journal.close()

    assert plan
    assert not [step for step in plan if step.startswith("SCAN")]


@pytest.mark.parametrize(("statement", "kind"), [(texts.ACCOUNT, Account), (texts.RESUMPTION, Resumption)])
def test_a_row_has_the_fields_of_its_class_in_order(tmp_path: Path, statement: str, kind: type) -> None:
    journal = open_realm(tmp_path / "world.db")
    with journal._transaction() as connection:
        names = list(connection.exec_driver_sql(statement, (1,)).keys())
    journal.close()

    assert ["number" if each == "id" else each for each in names] == [each.name for each in fields(kind)]
