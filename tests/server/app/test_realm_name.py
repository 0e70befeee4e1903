"""The public name of a realm."""

from gloam_server.app.server_parts import realm_name
from gloam_server.storage.directory import WorldIdentity
from gloam_shared.protocol.messages.login import Welcome
from support.server.sim_server import SimServer
from support.storage.memory_store import MemoryStore


def name_of(identity: WorldIdentity) -> str:
    store = MemoryStore()
    store.directory.create_identity(identity)
    return realm_name(store.directory)


def test_welcome_names_realm_same_after_restart() -> None:
    """The welcome names the realm the same after a restart."""
    first = SimServer(seed=3)
    [messages] = first.join("Anna").of_kind(Welcome)
    [again] = SimServer(store=first.store).join("Anna").of_kind(Welcome)
    assert messages.realm == again.realm == realm_name(first.store.directory)
    assert len(messages.realm) == 32


def test_an_upgrade_of_rules_or_content_keeps_the_name() -> None:
    assert name_of(WorldIdentity("gloam", 7, 1, "ab", 5)) == name_of(WorldIdentity("gloam", 7, 9, "cd", 5))


def test_another_seed_campaign() -> None:
    """Another seed campaign or founding has another name."""
    founded = [("gloam", 7, 5), ("gloam", 7, 6), ("gloam", 8, 5), ("rltut", 7, 5), ("gloam", 2**190 + 7, 5)]
    names = {name_of(WorldIdentity(campaign, seed, 1, "ab", at_s)) for campaign, seed, at_s in founded}
    assert len(names) == len(founded)


def test_a_journal_without_a_realm_has_no_name() -> None:
    assert not realm_name(MemoryStore().directory)
