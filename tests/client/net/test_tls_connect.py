"""The trusted lines: over real TLS to a fake server, from this machine and as from another."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from gloam_client.net.tls_connect import ConnectFailed, TlsConnector, TrustedStream, dial_plainly
from gloam_client.user_files.address import Address
from gloam_client.user_files.known_servers import KnownServers
from gloam_server.net.certificate import Files, ensure, own_files, pin_in, renew
from support.client.fake_server import FakeServer
from support.processes.addresses import own_address

HOME = "127.0.0.1"
WRONG = "w" * 43


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """The certificate of a server."""
    (tmp_path / "server").mkdir()
    written = own_files(tmp_path / "server")
    ensure(written, 1_700_000_000)
    return written


@pytest.fixture
def known(tmp_path: Path) -> KnownServers:
    """The servers that a client has met."""
    return KnownServers(tmp_path / "client")


def with_server(
    host: str, files: Files | None, story: Callable[[Address], Awaitable[TrustedStream]]
) -> TrustedStream:
    """Run a story beside a fake server, hang up, and return the last line of it."""

    async def main() -> TrustedStream:
        server = FakeServer()
        context = None
        if files is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(files.certificate, files.key)
        place = Address(host, await server.start(host=host, tls=context))
        try:
            async with asyncio.timeout(60):
                line = await story(place)
            line.writer.transport.abort()
            return line
        finally:
            await server.stop()

    return asyncio.run(main())


def dialled(host: str, files: Files | None, dialler: TlsConnector) -> TrustedStream:
    return with_server(host, files, dialler.dial)


def refused(host: str, files: Files | None, dialler: TlsConnector) -> ConnectFailed:
    with pytest.raises(ConnectFailed) as no_line:
        dialled(host, files, dialler)
    return no_line.value


def test_server_taken_first_word_and_known(files: Files, known: KnownServers) -> None:
    """A server is taken at its first word and known from then on."""

    async def story(place: Address) -> TrustedStream:
        first = await TlsConnector(known).dial(place)
        first.writer.transport.abort()
        assert (first.trust, first.version, first.pin) == ("new", "TLS 1.3", pin_in(files.certificate))
        assert known.pin(place) == first.pin
        return await TlsConnector(known).dial(place)

    assert with_server(own_address(), files, story).trust == "known"


def test_changed_key_refused_means_and_mend(files: Files, known: KnownServers) -> None:
    """A changed key is refused with what it means and the mend."""

    async def story(place: Address) -> TrustedStream:
        known.remember(place, WRONG)
        return await TlsConnector(known).dial(place)

    with pytest.raises(ConnectFailed) as no_line:
        with_server(own_address(), files, story)
    error = no_line.value
    assert error.hopeless
    assert error.code == "pin"
    for words in (WRONG, pin_in(files.certificate), "password", "gloam forget", "gloam-server status"):
        assert words in error.text


def test_after_forgetting_the_new_key_is_taken(files: Files, known: KnownServers) -> None:
    async def story(place: Address) -> TrustedStream:
        known.remember(place, WRONG)
        known.forget(place)
        return await TlsConnector(known).dial(place)

    assert with_server(own_address(), files, story).trust == "new"


def test_renewed_certificate_same_key_no_change(files: Files, known: KnownServers) -> None:
    """A renewed certificate of the same key is no change."""
    pin = pin_in(files.certificate)
    files.certificate.unlink()
    ensure(files, 1_800_000_000)

    async def story(place: Address) -> TrustedStream:
        known.remember(place, pin)
        return await TlsConnector(known).dial(place)

    assert with_server(own_address(), files, story).trust == "known"


def test_invites_pin_held_against_first_meeting(files: Files, known: KnownServers) -> None:
    """An invites pin is held against the first meeting."""
    pin = pin_in(files.certificate)

    async def story(place: Address) -> TrustedStream:
        line = await TlsConnector(known, pin).dial(place)
        assert known.pin(place) == pin
        return line

    assert with_server(own_address(), files, story).trust == "invited"
    renew(files, 1_800_000_000)
    error = refused(own_address(), files, TlsConnector(known, pin))
    assert "invite" in error.text
    assert error.hopeless


def test_an_invites_pin_goes_before_what_was_known(files: Files, known: KnownServers) -> None:
    async def story(place: Address) -> TrustedStream:
        known.remember(place, WRONG)
        line = await TlsConnector(known, pin_in(files.certificate)).dial(place)
        assert known.pin(place) == line.pin
        return line

    assert with_server(own_address(), files, story).trust == "invited"


def test_authority_vouches_change_key(
    files: Files, known: KnownServers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A host that an authority vouches for may change its key."""
    authority, certificate = issued_for(own_address(), tmp_path / "authority")

    async def story(place: Address) -> TrustedStream:
        known.remember(place, WRONG)
        line = await TlsConnector(known).dial(place)
        assert known.pin(place) == line.pin
        return line

    with pytest.raises(ConnectFailed, match="has changed"):  # no one here has heard of that authority
        with_server(own_address(), certificate, story)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    assert with_server(own_address(), certificate, story).trust == "vouched"
    with pytest.raises(ConnectFailed, match="has changed"):  # it vouches for no one else
        with_server(own_address(), files, story)


def test_authority_vouches_under_another_name(
    known: KnownServers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One that an authority vouches for under another name may not."""
    authority, certificate = issued_for("198.51.100.7", tmp_path / "authority")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))

    async def story(place: Address) -> TrustedStream:
        known.remember(place, WRONG)
        return await TlsConnector(known).dial(place)

    with pytest.raises(ConnectFailed, match="has changed"):
        with_server(own_address(), certificate, story)


def test_another_machine_nothing_sent_plain_text(known: KnownServers) -> None:
    """To another machine nothing is sent in plain text."""
    assert "no encrypted connection" in refused(own_address(), None, TlsConnector(known)).text


def test_to_this_machine_plain_text_will_do(known: KnownServers) -> None:
    assert dialled(HOME, None, TlsConnector(known)).trust == "plain"


def test_machine_any_key_and_none_kept(files: Files, known: KnownServers) -> None:
    """On this machine any key will do and none is kept."""
    assert dialled(HOME, files, TlsConnector(known)).trust == "local"
    assert not known.path.exists()


def test_unless_an_invite_names_one(files: Files, known: KnownServers) -> None:
    assert dialled(HOME, files, TlsConnector(known, pin_in(files.certificate))).trust == "invited"
    assert refused(HOME, files, TlsConnector(known, WRONG)).code == "pin"


@pytest.mark.parametrize("invited", [True, False])
def test_server_key_known_not_fall_back_plain(known: KnownServers, *, invited: bool) -> None:
    """A server whose key is known may not fall back to plain text."""

    async def story(place: Address) -> TrustedStream:
        if not invited:
            known.remember(place, WRONG)
        return await TlsConnector(known, WRONG if invited else "").dial(place)

    with pytest.raises(ConnectFailed, match="another server may answer"):
        with_server(HOME, None, story)


def test_who_only_looks_remembers_nothing(files: Files, known: KnownServers) -> None:
    assert dialled(own_address(), files, TlsConnector(known, remember=False)).trust == "new"
    assert not known.path.exists()


def test_a_damaged_known_servers_file_trusts_no_one(files: Files, known: KnownServers) -> None:
    known.path.parent.mkdir()
    known.path.write_text("what?\n")

    assert "remove that line" in refused(own_address(), files, TlsConnector(known)).text


def test_server_spoken_plain_text() -> None:
    """A server of one's own is spoken to in plain text."""
    assert with_server(HOME, None, dial_plainly).trust == "plain"


@pytest.mark.parametrize("host", ["a" * 70 + ".example", ".example", "a..b"])
def test_what_is_no_host_name_is_reported(known: KnownServers, host: str) -> None:
    with pytest.raises(ConnectFailed, match="spelling"):
        asyncio.run(TlsConnector(known).dial(Address(host)))


def issued_for(host: str, folder: Path) -> tuple[Path, Files]:
    """Return an authority's certificate, and one that it has issued for an address."""
    folder.mkdir()
    now = datetime.now(UTC)
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority")])

    def begun(name: x509.Name, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder(issuer_name=authority_name, subject_name=name, public_key=public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
        )

    identifier = x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key())
    root = (
        begun(authority_name, authority_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(identifier, critical=False)
        .add_extension(_may_sign_certificates(), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    issued = (
        begun(x509.Name([]), key.public_key())
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), critical=True)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )
    files = Files(folder / "certificate.pem", folder / "key.pem")
    files.certificate.write_bytes(issued.public_bytes(Encoding.PEM))
    files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (folder / "root.pem").write_bytes(root.public_bytes(Encoding.PEM))
    return folder / "root.pem", files


def _may_sign_certificates() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
