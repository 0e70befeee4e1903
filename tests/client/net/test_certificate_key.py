"""The key is cut out of any certificate as `cryptography` finds it, and out of nothing else."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from gloam_client.net.tls_connect import NoCertificate, public_key

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey
DAY = datetime(2026, 1, 1, tzinfo=UTC)


def certificate(key: Key, name: str = "Gloam", names: int = 0) -> bytes:
    """Return a certificate in DER, with this many further names in it."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(DAY)
        .not_valid_after(DAY + timedelta(days=90))
    )
    if names:
        others = [x509.DNSName(f"host{number}.example.org") for number in range(names)]
        builder = builder.add_extension(x509.SubjectAlternativeName(others), critical=False)
    hashing = None if isinstance(key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
    return builder.sign(key, hashing).public_bytes(Encoding.DER)


def key_of(der: bytes) -> bytes:
    """Return what `cryptography` takes for the key."""
    key = x509.load_der_x509_certificate(der).public_key()
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


P_256 = ec.generate_private_key(ec.SECP256R1())
PLAIN = certificate(P_256)


KINDS: Final[dict[str, Callable[[], Key]]] = {
    "P-256": lambda: P_256,
    "P-521": lambda: ec.generate_private_key(ec.SECP521R1()),
    "RSA": lambda: rsa.generate_private_key(65_537, 2_048),
    "Ed25519": ed25519.Ed25519PrivateKey.generate,
}


@pytest.fixture(scope="module", params=KINDS)
def key(request: pytest.FixtureRequest) -> Key:
    return KINDS[request.param]()


@pytest.mark.parametrize("names", [0, 3, 400])
def test_key_kind_found_certificates_length(key: Key, names: int) -> None:
    """A key of every kind is found in certificates of every length."""
    der = certificate(key, names=names)
    assert public_key(der) == key_of(der)


@given(st.text("abcdefghijklmnop ", min_size=1, max_size=64))
def test_and_whatever_stands_before_it(name: str) -> None:
    der = certificate(P_256, name)
    assert public_key(der) == key_of(der)


def test_the_first_version_had_no_number() -> None:
    inner = b"".join(bytes([0x30, 1, number]) for number in range(5)) + b"\x30\x03key"
    signed = bytes([0x30, len(inner)]) + inner
    assert public_key(bytes([0x30, len(signed)]) + signed) == b"\x30\x03key"


def test_no_part_of_a_certificate_is_one() -> None:
    for kept in range(len(PLAIN)):
        with pytest.raises(NoCertificate):
            public_key(PLAIN[:kept])


@given(st.binary(max_size=200))
def test_garbage_is_refused_and_never_a_fault(data: bytes) -> None:
    with pytest.raises(NoCertificate):
        public_key(data)


@given(st.integers(0, len(PLAIN) - 1), st.integers(0, 255))
def test_byte_not_no_fault(at: int, byte: int) -> None:
    """A byte that is not as it was is no fault either."""
    bent = PLAIN[:at] + bytes([byte]) + PLAIN[at + 1 :]
    try:
        assert public_key(bent) in bent
    except NoCertificate:
        assert bent != PLAIN


@pytest.mark.parametrize("length", [b"\x80", b"\x85\0\0\0\0\1", b"\x84\xff\xff\xff\xff", b"\xff"])
def test_length_der_not_know_or_lie_refused(length: bytes) -> None:
    """A length that der does not know or that is a lie is refused."""
    with pytest.raises(NoCertificate):
        public_key(b"\x30" + length + PLAIN[2:])
