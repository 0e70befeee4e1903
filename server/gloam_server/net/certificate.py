"""A server's certificate and its key: two PEM files, written by the server or given by its host."""

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID

from gloam_shared.protocol.key_pins import key_pin

OWN_CERTIFICATE: Final = "tls-certificate.pem"
OWN_KEY: Final = "tls-key.pem"

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey

_NEVER: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)  # RFC 5280's value for no end
_OWNER_ONLY: Final = 0o600


class BadCertificate(Exception):
    """A certificate or its key cannot be used; the text is one sentence with the file and the solution."""


class Files(NamedTuple):
    """The paths of a certificate (with its chain, if it has one) and its private key."""

    certificate: Path
    key: Path


class Certificate(NamedTuple):
    """A certificate that matches its key. `chain` begins with the server's own."""

    chain: tuple[x509.Certificate, ...]
    key: Key
    pin: str

    @property
    def until(self) -> str:
        """The last day of validity in words, or that there is none."""
        end = self.chain[0].not_valid_after_utc
        return "without an end" if end >= _NEVER else f"until {end:%Y-%m-%d}"


def own_files(data: Path) -> Files:
    """Return the paths of the certificate that the server writes itself."""
    return Files(data / OWN_CERTIFICATE, data / OWN_KEY)


def ensure(files: Files, now_s: int) -> None:
    """Write a P-256 key and a self-signed certificate, unless they exist.

    Clients recognize the server by the key, so a lost certificate is made again for the same key. Raises
    BadCertificate.
    """
    try:
        if not files.key.exists():
            _write_key(files.key)
            files.certificate.unlink(missing_ok=True)
        if not files.certificate.exists():
            _write(files.certificate, _self_signed_certificate(_read_key(files.key), now_s))
    except OSError as error:
        raise BadCertificate(
            f"The certificate {files.certificate} cannot be written ({error.strerror}); "
            "make its folder writable, or name another with --data."
        ) from error


def renew(files: Files, now_s: int) -> None:
    """Write a new key and a new certificate over the old ones. Raises BadCertificate."""
    try:
        files.key.unlink(missing_ok=True)
    except OSError as error:
        raise BadCertificate(
            f"{files.key} cannot be replaced ({error.strerror}); do so as its owner."
        ) from error
    ensure(files, now_s)


def pin_in(certificate: Path) -> str:
    """Return the pin of the key in a certificate file. Raises BadCertificate."""
    return _pin(_read_chain(certificate)[0])


def read(files: Files) -> Certificate:
    """Return the certificate in the files. Raises BadCertificate."""
    chain = _read_chain(files.certificate)
    key = _read_key(files.key)
    if _public(key.public_key()) != _public(chain[0].public_key()):
        raise BadCertificate(
            f"The key {files.key} is not that of the certificate {files.certificate}; name the two that belong together."
        )
    return Certificate(chain, key, _pin(chain[0]))


def _read_chain(path: Path) -> tuple[x509.Certificate, ...]:
    try:
        return tuple(x509.load_pem_x509_certificates(_bytes(path)))
    except ValueError as error:
        raise BadCertificate(
            f"{path} holds no certificate that can be read ({error}); it must be PEM, the server's own first."
        ) from error


def _read_key(path: Path) -> Key:
    text = _bytes(path, secret=True)
    try:
        key = load_pem_private_key(text, password=None)
    except TypeError as error:
        raise BadCertificate(f"The key {path} is locked by a password; give one without.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadCertificate(f"{path} holds no private key that can be read; it must be PEM.") from error
    if not isinstance(key, Key):
        raise BadCertificate(f"The key {path} is of a kind that cannot be used; take P-256, RSA or Ed25519.")
    return key


def _bytes(path: Path, *, secret: bool = False) -> bytes:
    try:
        with path.open("rb") as file:
            if secret and os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise BadCertificate(
                    f"The key {path} can be read or changed by other users; run: chmod 600 {path}"
                )
            return file.read()
    except OSError as error:
        raise BadCertificate(
            f"{path} cannot be read ({error.strerror}); mend certificate and key in realm.toml, or the file."
        ) from error


def _write_key(path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    _write(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _self_signed_certificate(key: Key, now_s: int) -> bytes:
    """Return a certificate that holds only its key: a pin needs no more."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Gloam")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.fromtimestamp(now_s, UTC) - timedelta(days=1))  # for clocks that are late
        .not_valid_after(_NEVER)
        .sign(key, None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256())
    )
    return certificate.public_bytes(Encoding.PEM)


def _write(path: Path, text: bytes) -> None:
    """Write a file atomically, readable by its owner only."""
    scratch = Path(f"{path}.new")
    scratch.unlink(missing_ok=True)
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)


def _pin(certificate: x509.Certificate) -> str:
    return key_pin(_public(certificate.public_key()))


def _public(key: CertificatePublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
