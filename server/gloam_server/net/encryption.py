"""TLS for connections: the context of each new one, loaded again when the certificate's files change."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from OpenSSL import SSL
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.interfaces import IOpenSSLServerConnectionCreator
from twisted.python.failure import Failure
from zope.interface import implementer

from gloam_server.net.certificate import BadCertificate, Certificate, Files, read

_log: Final = logging.getLogger(__name__)
_Signature = tuple[tuple[int, int, int] | None, ...]
_Loaded = tuple[Certificate, SSL.Context]


@implementer(IOpenSSLServerConnectionCreator)
class Encryption:
    """The certificate in use. `plain` accepts unencrypted connections from everywhere, not only from this machine.

    `call` runs what reads the files: a server gives a thread for it. Each connection has them looked at, unless a look is
    under way, and has the certificate that was loaded by then: new files are used from the connection after that on. If
    they cannot be used, that is logged once, and the old ones stay. Raises BadCertificate if the first ones cannot be used.
    """

    def __init__(
        self, files: Files, *, plain: bool = False, call: Callable[..., Deferred[Any]] = maybeDeferred
    ) -> None:
        self.files: Final = files
        self.plain: Final = plain
        self._call = call
        self._looking = False
        self._seen = _signature(files)
        self.certificate, self._context = _load(files)

    def refresh(self) -> None:
        """Load the files if they have changed."""
        if not self._looking:
            self._looking = True
            self._call(_look, self.files, self._seen).addBoth(self._looked)

    def reload(self) -> None:
        """Load the files as they are now."""
        self._call(_look, self.files, ()).addBoth(self._looked)

    def _looked(self, found: "tuple[_Signature, _Loaded | BadCertificate | None] | Failure") -> None:
        """Use the files that were loaded, if they have changed."""
        self._looking = False
        if isinstance(found, Failure):  # such as while the disk hangs
            _log.error("The certificate's files were not looked at (%r); the old ones are used.", found.value)
            return
        self._seen, loaded = found
        if isinstance(loaded, BadCertificate):
            _log.error("%s Until then the certificate from before is used.", loaded)
        elif loaded is not None:
            self.certificate, self._context = loaded
            _log.info("the certificate was read again, pin %s", self.certificate.pin)

    def serverConnectionForTLS(self, protocol: object) -> SSL.Connection:  # noqa: ARG002  # Twisted's signature
        """Return the TLS side of a new connection."""
        self.refresh()
        return SSL.Connection(self._context)


def _look(files: Files, seen: _Signature) -> tuple[_Signature, _Loaded | BadCertificate | None]:
    """Return the files' signature, and if it differs from `seen`, the files or why they cannot be used."""
    signature = _signature(files)
    if signature == seen:
        return signature, None
    try:
        return signature, _load(files)
    except BadCertificate as error:
        return signature, error


def _load(files: Files) -> _Loaded:
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
