"""A server's certificate: written once, read with care."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from gloam_server.net import certificate
from support.server.tls_client import NOW_S, certified

PEM, PKCS8 = Encoding.PEM, PrivateFormat.PKCS8


def test_p_256_and_key_owners_alone(tmp_path: Path) -> None:
    """It is for p 256 and its key is its owners alone."""
    written = certificate.read(certified(tmp_path))
    assert isinstance(written.key, ec.EllipticCurvePrivateKey)
    assert written.key.curve.name == "secp256r1"
    assert certificate.own_files(tmp_path).key.stat().st_mode & 0o777 == 0o600
    assert written.until == "without an end"
    assert len(written.pin) == 43
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tls-certificate.pem", "tls-key.pem"]


def test_it_is_written_once(tmp_path: Path) -> None:
    before = certificate.read(certified(tmp_path))
    again = certificate.read(certified(tmp_path))
    assert (again.chain, again.pin) == (before.chain, before.pin)


def test_lost_certificate_made_same_key(tmp_path: Path) -> None:
    """A lost certificate is made again for the same key."""
    files = certified(tmp_path)
    before = certificate.read(files)
    files.certificate.unlink()
    again = certificate.read(certified(tmp_path))
    assert again.pin == before.pin == certificate.pin_in(files.certificate)
    assert again.chain != before.chain


def test_without_key_certificate_no_use(tmp_path: Path) -> None:
    """Without its key a certificate is of no use and both are made again."""
    files = certified(tmp_path)
    before = certificate.read(files)
    files.key.unlink()
    assert certificate.read(certified(tmp_path)).pin != before.pin


def test_a_renewed_one_has_another_pin(tmp_path: Path) -> None:
    files = certified(tmp_path)
    before = certificate.read(files)
    certificate.renew(files, NOW_S)
    assert certificate.read(files).pin != before.pin


@pytest.mark.parametrize(
    "generate", [lambda: rsa.generate_private_key(65_537, 2_048), ed25519.Ed25519PrivateKey.generate]
)
def test_a_host_may_bring_a_key_of_another_kind(
    tmp_path: Path, generate: Callable[[], rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey]
) -> None:
    files = certificate.own_files(tmp_path)
    files.key.write_bytes(generate().private_bytes(PEM, PKCS8, NoEncryption()))
    files.key.chmod(0o600)
    certificate.ensure(files, NOW_S)
    assert certificate.read(files).pin == certificate.pin_in(files.certificate)


def read_error(files: certificate.Files) -> str:
    """Return what is said of files that cannot be used."""
    with pytest.raises(certificate.BadCertificate) as bad:
        certificate.read(files)
    assert "\n" not in str(bad.value)
    return str(bad.value)


@pytest.mark.rule("A71")
@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    files = certified(tmp_path)
    files.key.chmod(mode)
    assert f"chmod 600 {files.key}" in read_error(files)


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    mixed = certificate.Files(certified(tmp_path).certificate, certified(tmp_path / "other").key)
    assert "not that of the certificate" in read_error(mixed)


def test_a_locked_key_is_refused_without_a_prompt(tmp_path: Path) -> None:
    files = certified(tmp_path)
    key = ec.generate_private_key(ec.SECP256R1())
    files.key.write_bytes(key.private_bytes(PEM, PKCS8, BestAvailableEncryption(b"secret")))
    assert "password" in read_error(files)


def test_a_key_that_cannot_sign_is_refused(tmp_path: Path) -> None:
    files = certified(tmp_path)
    files.key.write_bytes(x25519.X25519PrivateKey.generate().private_bytes(PEM, PKCS8, NoEncryption()))
    assert "kind" in read_error(files)


@pytest.mark.parametrize(
    "text", [b"", b"hello", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_what_is_no_certificate_is_named(tmp_path: Path, text: bytes) -> None:
    files = certified(tmp_path)
    files.certificate.write_bytes(text)
    assert str(files.certificate) in read_error(files)


@pytest.mark.parametrize(
    "text", [b"", b"hello", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_what_is_no_key_is_named(tmp_path: Path, text: bytes) -> None:
    files = certified(tmp_path)
    files.key.write_bytes(text)
    assert str(files.key) in read_error(files)


@pytest.mark.parametrize("which", [0, 1])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, which: int) -> None:
    files = certified(tmp_path)
    files[which].unlink()
    assert f"{files[which]} cannot be read" in read_error(files)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(certificate.BadCertificate, match="cannot be written"):
        certificate.ensure(certificate.own_files(tmp_path / "nowhere"), NOW_S)
