"""A certificate authority for tests, and a certificate of it for this machine."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class Authority(NamedTuple):
    """The files of an authority, and of a certificate for 127.0.0.1 that it has signed."""

    root: Path
    certificate: Path
    key: Path


def make_authority(folder: Path) -> Authority:
    """Write a new authority and a certificate into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = Authority(folder / "root.pem", folder / "certificate.pem", folder / "key.pem")
    root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root = _certificate("Test authority", root_key, "Test authority", root_key, is_authority=True)
    signed = _certificate("127.0.0.1", key, "Test authority", root_key, is_authority=False)
    files.root.write_bytes(root.public_bytes(Encoding.PEM))
    files.certificate.write_bytes(signed.public_bytes(Encoding.PEM))
    files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    issuer: str,
    issuer_key: ec.EllipticCurvePrivateKey,
    *,
    is_authority: bool,
) -> x509.Certificate:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False
        )
        .add_extension(_usage(is_authority=is_authority), critical=True)
        .sign(issuer_key, hashes.SHA256())
    )


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )
