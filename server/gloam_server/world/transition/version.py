"""The version of the rules: raised by hand whenever the same journal would lead to another state."""

from typing import Final

RULES_VERSION: Final = 10
