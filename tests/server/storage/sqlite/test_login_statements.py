"""The statements of a login: they find their rows by a key, and read the fields of their classes."""

import sqlite3
from contextlib import closing
from dataclasses import fields
from pathlib import Path

import pytest

from gloam_server.storage.accounts import Account, Resumption
from gloam_server.storage.open_store import open_store
from gloam_server.storage.sql.directory import sql_accounts as texts


@pytest.mark.parametrize(
    "statement",
    [
        texts._ACCOUNT,
        texts._ACCOUNTS_AFTER,
        texts._DEVICE,
        texts._DROP_OLD_DEVICES,
        texts._BAN,
        texts._RESUMPTION,
        texts._RECORD_SEEN,
    ],
)
def test_a_statement_of_a_login_reads_no_whole_table(tmp_path: Path, statement: str) -> None:
    open_store(tmp_path / "world.db").close()
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        values = (1,) * statement.count("?")
        plan = [detail for *_, detail in database.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert plan
    assert not [step for step in plan if step.startswith("SCAN")]


@pytest.mark.parametrize(("statement", "kind"), [(texts._ACCOUNT, Account), (texts._RESUMPTION, Resumption)])
def test_a_row_has_the_fields_of_its_class_in_order(tmp_path: Path, statement: str, kind: type) -> None:
    open_store(tmp_path / "world.db").close()
    with closing(sqlite3.connect(tmp_path / "world.db")) as database:
        names = [column[0] for column in database.execute(statement, (1,)).description]
    assert ["number" if each == "id" else each for each in names] == [
        each.name
        for each in fields(kind)
        if each.name != "is_new_here"  # a row of a cluster alone
    ]
