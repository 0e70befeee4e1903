"""TLS for connections: the context of each new one, loaded again when the certificate's files change."""

import logging
from pathlib import Path
from typing import Final

from OpenSSL import SSL
from twisted.internet.interfaces import IOpenSSLServerConnectionCreator
from zope.interface import implementer

from gloam_server.net.certificate import BadCertificate, Certificate, Files, read

_log: Final = logging.getLogger(__name__)
_Signature = tuple[tuple[int, int, int] | None, ...]


@implementer(IOpenSSLServerConnectionCreator)
class Encryption:
    """The certificate in use. `plain` accepts unencrypted connections from everywhere, not only from this machine.

    New files are used from the next connection on. If they cannot be used, that is logged once, and the old ones stay.
    Raises BadCertificate if the first ones cannot be used.
    """

    def __init__(self, files: Files, *, plain: bool = False) -> None:
        self.files: Final = files
        self.plain: Final = plain
        self._seen = _signature(files)
        self.certificate, self._context = _load(files)

    def refresh(self) -> None:
        """Load the files if they have changed."""
        signature = _signature(self.files)
        if signature != self._seen:
            self._seen = signature
            self.reload()

    def reload(self) -> None:
        """Load the files as they are now."""
        try:
            self.certificate, self._context = _load(self.files)
        except BadCertificate as error:
            _log.error("%s Until then the certificate from before is used.", error)
        else:
            _log.info("the certificate was read again, pin %s", self.certificate.pin)

    def serverConnectionForTLS(self, protocol: object) -> SSL.Connection:  # noqa: ARG002  # Twisted's signature
        """Return the TLS side of a new connection."""
        self.refresh()
        return SSL.Connection(self._context)


def _load(files: Files) -> tuple[Certificate, SSL.Context]:
    certificate = read(files)
    context = SSL.Context(SSL.TLS_SERVER_METHOD)
    context.set_min_proto_version(SSL.TLS1_2_VERSION)
    context.set_options(SSL.OP_NO_RENEGOTIATION | SSL.OP_NO_COMPRESSION | SSL.OP_NO_TICKET)
    context.set_session_cache_mode(SSL.SESS_CACHE_OFF)  # connections are rare and long
    context.set_mode(SSL.MODE_RELEASE_BUFFERS)  # 34 KB less for each silent connection
    own, *others = certificate.chain
    try:
        context.use_certificate(own)
        for other in others:
            context.add_extra_chain_cert(other)
        context.use_privatekey(certificate.key)
        context.check_privatekey()
    except SSL.Error as error:
        raise BadCertificate(
            f"The certificate {files.certificate} cannot be used with this machine's OpenSSL; take one for a P-256 or RSA key."
        ) from error
    return certificate, context


def _signature(files: Files) -> _Signature:
    """Return a value that changes with the files."""
    return tuple(_mark(path) for path in files)


def _mark(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
