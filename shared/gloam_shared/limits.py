"""Every bound of the conversation, each with its reason. Sizes in bytes, times in the unit that the name ends with."""

from typing import Final

FRAME_BEFORE_LOGIN_MAX: Final = 1_024  # a stranger says hello and his name, nothing longer
FRAME_FROM_CLIENT_MAX: Final = 4_096  # a command is under 30 bytes; a line of chat under 1,100
FRAME_FROM_SERVER_MAX: Final = 262_144  # a whole level, remembered to its last cell, is under 8 KiB

DEPTHS_MAX: Final = 100  # of one round; depth 101 is the first of the second round
PLACES_MAX: Final = 1_024  # numbers of levels, from 1, and the realm's own, 0; numbers of creatures and items hold one of these
LEVEL_CELLS_MAX: Final = 65_536  # a cell is a 16-bit number; a client reserves no more for a level

DEPTH_MAX: Final = 8  # deeper nesting could break whoever prints it
ELEMENTS_MAX: Final = 64  # per client message; a frame of empty maps would cost 14 ms
STRING_MAX: Final = 1_024
ABILITIES_MAX: Final = 16  # in a client's greeting
ABILITY_MAX: Final = 32  # characters of one's name

HANDSHAKE_S: Final = 5  # from connect to a complete first frame, absolute
TLS_HANDSHAKE_MAX: Final = 16_384  # bytes of a client's TLS handshake; a real one has under 3,000
LOGIN_S: Final = 10  # from connect to a login, absolute
FRAME_S: Final = 5  # from a frame's first byte to its last, absolute

HEARTBEAT_S: Final = 5  # the server's, whatever else it says
DEAD_S: Final = 15  # silence after which a line counts as cut

COMMANDS_PER_S: Final = 30
COMMANDS_BURST: Final = 60
CHAT_PER_S: Final = 1
CHAT_BURST: Final = 5
CHAT_SPELL_S: Final = 10  # the stretch of time that the next two count in
CHAT_SAID_MAX: Final = 8  # lines that are said
CHAT_TRIED_MAX: Final = 50  # lines, refused ones too; then the line is closed
CHAT_SHUT_S: Final = 120  # whom that has cost his line does not come in again before
CHAT_SAME_S: Final = 50  # the same line is not said twice within it
CHAT_CELLS_MAX: Final = 200
CALL_SHOWN_S: Final = 20  # so long a call is marked on the map, and the same one is not let through again

UNACKNOWLEDGED_MAX: Final = 3  # patches; past that the newest state waits for an acknowledgement
QUEUED_BYTES_MAX: Final = 131_072  # held for one client before it is let go
ACK_DELAY_MS: Final = 80  # so long an acknowledgement waits for a command; both stay below COMMANDS_PER_S
PACE_AFTER_MS: Final = 100  # a wait that ends sooner is not told
GATHER_MS: Final = 50  # what others did reaches a viewer at most this often
GATHER_LATE_MS: Final = 250  # the same, when the server is late
REFRESH_S: Final = 2  # a whole view may be asked for this often

CONNECTIONS_MAX: Final = 2_048  # unless the host sets another
CONNECTIONS_PER_ADDRESS_MAX: Final = 8  # a /32 or /64; loopback and trusted networks are exempt
CONNECTIONS_RESERVED: Final = 64  # descriptors beyond that, for who comes back and for the host's own tools
PROXY_HEADERS_MAX: Final = 64  # lines of proxies whose header is awaited; a proxy sends it at once
FLAPS_MAX: Final = (
    15  # lines from an address that came and went without a login or a question, within the next
)
FLAPS_WITHIN_S: Final = 60
FLAPS_SHUT_S: Final = 300  # an address that did so is not heard for so long
RETURNS_MAX: Final = (
    16  # lines of an address over a bound that are heard as far as a resume token, within the next
)
RETURNS_WITHIN_S: Final = 10
TURNED_AWAY_MAX: Final = 16  # lines that are told at the same time that there is no room
READ_MAX: Final = 16_384  # taken from a socket at once: so much garbage is read before it is seen to be some
SEND_BUFFER: Final = 16_384  # the kernel's, so that a slow reader is noticed within 100 KB

NAME_MIN: Final = 2
NAME_MAX: Final = 16
TOKEN_SIZE: Final = 32
RESUME_S: Final = 600  # so long after a cut its token brings a player back; a login does after that
NAME_FREE_S: Final = 86_400  # a name without a password is its device's for so long after it was last played
PASSWORD_MIN: Final = 8  # characters
PASSWORD_MAX: Final = 128  # characters; a name, a token and this fit a frame before the login
PASSWORD_JOBS_MAX: Final = (
    64  # hashes that wait for the one thread that makes them; the rest are told to try again
)
PASSWORD_CHANGES_BURST: Final = 5  # of one name at once, then one in the next; each costs two hashes
PASSWORD_CHANGES_EVERY_S: Final = 10
PASSWORD_CHANGES_WAITING_MAX: Final = 1  # of one name, behind the one that is under way
LOGINS_BURST: Final = 5  # logins and resumes of one name from one address at once, then one in the next
LOGINS_EVERY_S: Final = 10
LOGINS_REFUSED_S: Final = 1  # who comes more often is told so after this long
FAILURES_MAX: Final = 5  # wrong passwords of one name from one address within the next; then no hash is made
FAILURES_S: Final = 300
CREATIONS_MAX: Final = 10  # new names from one address within the next
CREATIONS_S: Final = 600
CREATIONS_EXEMPT_BURST: Final = (
    100  # new names from this machine and trusted networks at once, then one in the next
)
CREATIONS_EXEMPT_EVERY_S: Final = 1
LOGINS_WAITING_MAX: Final = 128  # that wait for the accounts; the rest are told to try again
UNUSED_S: Final = 86_400  # an account that nobody ever played is removed so long after it was last seen
CLOCK_UNSET_S: Final = 1_735_689_600  # 2025: an earlier time of day is that of a clock that was not set
INVITE_USES_MAX: Final = 1_000

THROW_CELLS: Final = 8  # nobody throws further
PILE_THINGS_MAX: Final = 100  # of the things under one's feet, so many of the uppermost are told
KEEPSAKES_MAX: Final = 26  # one letter each, as things that one carries have
REFERENCES_MAX: Final = 256  # creatures, and piles, out of sight that a connection can refer to
LOG_LINES: Final = 40  # the tail of the log that a view holds
