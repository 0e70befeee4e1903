"""A certificate that changes while the server runs."""

import logging
import os
import ssl
from contextlib import suppress
from pathlib import Path

import pytest
from OpenSSL import SSL

from gloam_server.net.certificate import BadCertificate, own_files, renew
from gloam_server.net.encryption import Encryption
from gloam_server.storage.file_thread import WAITING_MAX, FileThread
from gloam_shared.protocol.key_pins import key_pin
from support.server.hand_reactor import HandReactor
from support.server.sim_server import SimServer
from support.server.tls_client import NOW_S, Caller, certified


def shown(server: SimServer, encryption: Encryption) -> str:
    """Return the pin that a new client sees."""
    from gloam_client.net.tls_connect import public_key

    caller = Caller(server, encryption)
    caller.shake_hands()
    assert caller.tls is not None
    certificate = caller.tls.getpeercert(binary_form=True)
    assert certificate is not None
    return key_pin(public_key(certificate))


def test_new_files_taken_without_restart(tmp_path: Path) -> None:
    """New files are taken without a restart and who plays is not disturbed."""
    server, encryption = SimServer(), Encryption(certified(tmp_path))
    first = encryption.certificate.pin
    player = Caller(server, encryption)
    player.shake_hands()
    renew(encryption.files, NOW_S)
    assert shown(server, encryption) == encryption.certificate.pin != first
    assert not player.wire.closed


def test_broken_file_reported_once_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The server logs a broken file once, in one line, and keeps the old certificate."""
    server, encryption = SimServer(), Encryption(certified(tmp_path))
    first = encryption.certificate.pin
    encryption.files.certificate.write_text("half a certificate")
    with caplog.at_level(logging.ERROR):
        assert [shown(server, encryption) for _ in range(3)] == [first] * 3
    (line,) = [record.getMessage() for record in caplog.records]
    assert str(encryption.files.certificate) in line
    assert "\n" not in line


def test_a_file_that_is_mended_is_taken(tmp_path: Path) -> None:
    server, encryption = SimServer(), Encryption(certified(tmp_path))
    encryption.files.key.unlink()
    shown(server, encryption)
    renew(encryption.files, NOW_S)
    assert shown(server, encryption) == encryption.certificate.pin


def test_a_reload_on_request_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    encryption = Encryption(certified(tmp_path))
    with caplog.at_level(logging.INFO):
        encryption.reload()
    assert encryption.certificate.pin in caplog.text


def test_server_not_begin_broken_certificate(tmp_path: Path) -> None:
    """A server does not begin with a broken certificate."""
    with pytest.raises(BadCertificate, match="cannot be read"):
        Encryption(own_files(tmp_path))


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_1_2_and_1_3_are_spoken(tmp_path: Path, version: ssl.TLSVersion) -> None:
    caller = Caller(SimServer(), Encryption(certified(tmp_path)), version=version)
    caller.shake_hands()
    assert caller.tls is not None
    assert (caller.tls.version() or "").replace(".", "_") == version.name.replace("v1", "v1", 1)


def test_older_versions_are_not(tmp_path: Path) -> None:
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        caller = Caller(SimServer(), Encryption(certified(tmp_path)), version=ssl.TLSVersion.TLSv1_1)
    with pytest.raises(ssl.SSLError):
        caller.shake_hands()
    assert caller.wire.closed


def test_a_second_handshake_is_refused(tmp_path: Path) -> None:
    caller = Caller(SimServer(), Encryption(certified(tmp_path)), tls=False)
    context = SSL.Context(SSL.TLS_CLIENT_METHOD)
    context.set_max_proto_version(SSL.TLS1_2_VERSION)  # 1.3 knows no such thing
    client = SSL.Connection(context)
    client.set_connect_state()

    def shake_hands() -> None:
        for _ in range(4):
            with suppress(SSL.WantReadError):
                client.do_handshake()
            with suppress(SSL.WantReadError):
                caller.send(client.bio_read(65_536))
            if answer := caller.received():
                client.bio_write(answer)

    shake_hands()
    assert client.get_protocol_version_name() == "TLSv1.2"
    assert client.renegotiate()
    with pytest.raises(SSL.Error, match="no renegotiation"):
        shake_hands()


def test_a_slow_certificate_delays_no_connection(tmp_path: Path) -> None:
    """The changed certificate is a pipe without a reader: connections get the old one, and then the new one."""
    reactor = HandReactor()
    files = certified(tmp_path)
    server, encryption = SimServer(), Encryption(files, call=FileThread(reactor).call)
    first = encryption.certificate.pin
    renew(files, NOW_S)
    text = files.certificate.read_bytes()
    files.certificate.unlink()
    os.mkfifo(files.certificate)

    assert [shown(server, encryption) for _ in range(WAITING_MAX + 3)] == [first] * (WAITING_MAX + 3)
    encryption.reload()
    assert reactor.handed.empty()
    for _ in range(2):  # the look of the connections, and the one that was asked for
        files.certificate.write_bytes(text)
        reactor.turn()
    assert shown(server, encryption) == encryption.certificate.pin != first


def test_a_renewed_certificate_is_found_by_a_thread(tmp_path: Path) -> None:
    """The connection that finds the new files has the old certificate, the next one the new one."""
    reactor = HandReactor()
    files = certified(tmp_path)
    server, encryption = SimServer(), Encryption(files, call=FileThread(reactor).call)
    first = encryption.certificate.pin
    renew(files, NOW_S)
    assert shown(server, encryption) == first
    reactor.turn()
    assert shown(server, encryption) == encryption.certificate.pin != first
