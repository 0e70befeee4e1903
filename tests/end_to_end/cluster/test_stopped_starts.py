"""A server that is stopped while it starts: its realm is free in the same moment."""

import subprocess
import sys
from pathlib import Path

import pytest

from gloam_server.storage.store import LeaseTerms
from support.cluster.workers import looking
from support.storage.clusters import Cluster, opened

pytestmark = [pytest.mark.end_to_end, pytest.mark.thorough]


def test_a_stopped_start_frees_its_realm(cluster: Cluster, tmp_path: Path) -> None:
    """From the moment in which it has the lease, as it makes the dungeon."""
    realm = cluster.realm()
    address = cluster.address(realm)
    argv = [sys.executable, "-m", "gloam_server", "run", "--data", str(tmp_path / "data"), "--port", "0"]
    with (tmp_path / "log").open("wb") as log, looking(cluster.address("any")) as realms:
        process = subprocess.Popen([*argv, "--store", address], stdout=log, stderr=log)
        while realm not in realms.workers.look().holders:
            assert process.poll() is None, (tmp_path / "log").read_text()
        process.terminate()
        assert process.wait(60) == 0, (tmp_path / "log").read_text()
    with opened(address, terms=LeaseTerms(0)) as store:
        assert store.partitions() == []
