"""The errors of the two engines as sentences for the host."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from nats.js import errors as js_errors

from gloam_server.storage.errors import StorageError
from gloam_server.storage.postgres.explain import explain_error


@contextmanager
def explained() -> Iterator[None]:
    """Raise StorageError with a sentence in place of an error of either engine."""
    try:
        yield
    except psycopg.Error as error:
        raise explain_error(error) from error
    except js_errors.APIError as error:
        raise StorageError(
            f"NATS refuses this server ({error.description}); see the rights of its user."
        ) from error
