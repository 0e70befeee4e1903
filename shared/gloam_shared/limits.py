"""Every limit of the conversation, each with its reason. Sizes in bytes, times in the unit that the name ends with."""

from typing import Final

FRAME_BEFORE_LOGIN_MAX: Final = 1_024  # an unknown client sends a greeting and a name, nothing longer
FRAME_FROM_CLIENT_MAX: Final = 4_096  # a command is under 30 bytes; a line of chat under 1,100
FRAME_FROM_SERVER_MAX: Final = 262_144  # a whole level, remembered to its last cell, is under 8 KiB

DEPTHS_MAX: Final = 100  # of one round; depth 101 is the first of the second round
PARTITIONS_MAX: Final = (
    1_024  # the realm is 0, levels are numbered from 1. IDs of creatures and items contain one
)
LEVEL_CELLS_MAX: Final = 65_536  # a cell is a 16-bit number; a client reserves no more for a level

DEPTH_MAX: Final = 8  # deeper nesting could break a program that prints it
ELEMENTS_MAX: Final = 64  # per client message; a frame of empty maps would cost 14 ms
STRING_MAX: Final = 1_024
ABILITIES_MAX: Final = 16  # in the first list of a client's greeting
ABILITIES_FURTHER_MAX: Final = 32  # in its second list, which older servers ignore
ABILITY_MAX: Final = 32  # characters of one's name

HANDSHAKE_S: Final = 5  # from connect to a complete first frame, absolute
TLS_HANDSHAKE_MAX: Final = 16_384  # bytes of a client's TLS handshake; a real one has under 3,000
LOGIN_S: Final = 10  # from connect to a login, absolute
DEFLATE_WINDOW_BITS: Final = (
    14  # a window of 16 KiB for what a server compresses: 68 KiB of memory a connection
)
FRAME_S: Final = 5  # from a frame's first byte to its last, absolute

HEARTBEAT_S: Final = 5  # from the server, in addition to all other messages
DEAD_S: Final = 15  # silence after which a connection counts as lost

COMMANDS_PER_S: Final = 30
COMMANDS_BURST: Final = 60
JOURNAL_BURST: Final = 262_144  # bytes of the journal that one player's actions may write at once, then
JOURNAL_PER_MIN: Final = (
    65_536  # in a minute; what they write beyond it is a debt that their actions wait for
)
JOURNAL_ALL_PER_MIN: Final = 2_949_120  # for all players together, in equal parts if they are many, but each
JOURNAL_PER_MIN_LEAST: Final = 46_080  # has at least as much: 64 players write 200 MB in an hour at most
JOURNAL_WAITING_MAX: Final = 8  # messages of one player that wait for a debt; further ones are refused
LIVES_BURST: Final = 10  # messages about a new life (its place, its kit) at once, then one in a second
MAP_REQUESTS_BURST: Final = 20  # remembered maps at once, then some in a second
MAP_REQUESTS_PER_S: Final = 4
HISTORY_REQUESTS_BURST: Final = 20  # pasts of monsters at once, then some in a second
HISTORY_REQUESTS_PER_S: Final = 4
CHRONICLE_REQUESTS_BURST: Final = 5  # chronicles at once, then one in a second
CHAT_PER_S: Final = 1
CHAT_BURST: Final = 5
CHAT_SPELL_S: Final = 10  # the period for the next two limits
CHAT_SAID_MAX: Final = 8  # accepted chat messages
CHAT_TRIED_MAX: Final = 50  # chat messages, including refused ones; then the connection is closed
CHAT_SHUT_S: Final = 120  # how long a player who lost the connection for this cannot join
CHAT_SAME_S: Final = 50  # how long the same chat message is not repeated
CHAT_CELLS_MAX: Final = 200
CHAT_BYTES_MAX: Final = 800  # of UTF-8: four for each cell
IGNORED_MAX: Final = 100  # players that one player ignores or blocks
REPORT_LINES: Final = 50  # the newest lines said to a player, which their report contains
REPORTS_BURST: Final = 3  # reports of one player at once, then one in the next
REPORTS_EVERY_S: Final = 60
REPORTS_PER_PLAYER_MAX: Final = 10  # kept for the host, of one player; the oldest go
REPORTS_KEPT_MAX: Final = 100  # kept in all; a report takes at most 60 KB
SAID_KEPT_MAX: Final = 200  # words kept for players who are away, as many as the chronicle has entries
SAID_KEPT_S: Final = 604_800  # and for a week at most
SAID_MISSED_MAX: Final = 20  # of them that a player reads after a login
SAID_WRITTEN_S: Final = 5  # how long they wait to be written together: a crash loses no more
CALL_SHOWN_S: Final = 20  # how long a ping is marked on the map, and how long the same ping is dropped

UNACKNOWLEDGED_MAX: Final = 3  # patches; past that the newest state waits for an acknowledgement
QUEUED_BYTES_MAX: Final = 131_072  # queued for one client before its connection is closed
ACK_DELAY_MS: Final = 80  # how long an acknowledgement waits for a command; both stay below COMMANDS_PER_S
PACE_AFTER_MS: Final = 100  # a shorter wait is not reported
GATHER_MS: Final = 50  # the shortest time between two updates about other creatures
GATHER_MAX_MS: Final = 1_000  # the longest, when the server is busy
REFRESH_S: Final = 2  # the shortest time between two requests for a whole view

CONNECTIONS_MAX: Final = 2_048  # unless the host sets another
CONNECTIONS_PER_ADDRESS_MAX: Final = 8  # a /32 or /64; loopback and trusted networks are exempt
CONNECTIONS_RESERVED: Final = 64  # more descriptors, for players who return and for the host's tools
PROXY_HEADERS_MAX: Final = 64  # connections from proxies that wait for the header, which is sent immediately
FLAPS_MAX: Final = (
    15  # connections from an address that ended without a login or a status request, within the next
)
FLAPS_WITHIN_S: Final = 60
FLAPS_SHUT_S: Final = 300  # how long such an address is ignored
RETURNS_MAX: Final = (
    16  # connections from an address over a limit that are read up to a resume token, within the next
)
RETURNS_WITHIN_S: Final = 10
TURNED_AWAY_MAX: Final = 16  # connections that are refused at the same time with a message
READ_MAX: Final = 16_384  # read from a socket in one go: the most garbage read before it is detected
SEND_BUFFER: Final = 16_384  # the kernel's, so that the server notices a slow reader within 100 KB

NAME_MIN: Final = 2
NAME_MAX: Final = 16
TOKEN_SIZE: Final = 32
RESUME_S: Final = 600  # how long after a lost connection its token is valid; after that the player logs in
NAME_FREE_S: Final = (
    30 * 86_400  # how long after its last play a name without a password still belongs to its device
)
PASSWORD_MIN: Final = 8  # characters
PASSWORD_MAX: Final = 128  # characters; a name, a token and this fit a frame before the login
PASSWORD_JOBS_MAX: Final = (
    64  # password hashes that wait for their thread; further ones are refused with "try again"
)
PASSWORD_CHANGES_BURST: Final = 5  # of one name at once, then one in the next; each costs two hashes
PASSWORD_CHANGES_EVERY_S: Final = 10
PASSWORD_CHANGES_WAITING_MAX: Final = 1  # of one name, behind the one that is under way
LOGINS_BURST: Final = 5  # logins and resumes of one name from one address at once, then one in the next
LOGINS_EVERY_S: Final = 10
LOGINS_REFUSED_S: Final = 1  # the delay of the refusal
FAILURES_MAX: Final = 5  # wrong passwords of one name from one address within the next; then no hash is made
FAILURES_S: Final = 300
CREATIONS_MAX: Final = 10  # new names from one address within the next
CREATIONS_S: Final = 600
CREATIONS_EXEMPT_BURST: Final = (
    100  # new names from this machine and trusted networks at once, then one in the next
)
CREATIONS_EXEMPT_EVERY_S: Final = 1
LOGINS_WAITING_MAX: Final = (
    128  # logins that wait for their turn, and for the accounts; further ones are refused with "try again"
)
LOGIN_GAP_MS: Final = 10  # from the beginning of a login to the beginning of the next login or resume
RESUME_GAP_MS: Final = 4  # the same after a resume
UNUSED_S: Final = 86_400  # how long after its last login an account that was never played is removed
CLOCK_UNSET_S: Final = 1_735_689_600  # 2025: an earlier time means that the clock is not set
INVITE_USES_MAX: Final = 1_000

THROW_CELLS: Final = 8  # the largest distance of a throw
PILE_THINGS_MAX: Final = 100  # the uppermost items underfoot that a view shows
NEWS_SHOWN_MAX: Final = 100  # entries of the chronicle that a client gets
CHRONICLE_SHOWN_MAX: Final = 20  # lives that are over, as players read of them
LADDER_SHOWN_MAX: Final = 50  # lives of a board that a client gets
LADDER_PARTY_MAX: Final = 16  # names in a question about a party
LADDER_REQUESTS_BURST: Final = 24  # boards at once, then some in a second
LADDER_REQUESTS_PER_S: Final = 4
LADDER_STRANGERS_BURST: Final = 24  # boards at once for all without a login, then some in a second
LADDER_STRANGERS_PER_S: Final = 5
DUNGEONS_MAX: Final = 26  # of a host in its list, one for each letter
REPLAY_ID_MAX: Final = 32  # characters of a shared replay's id; the client's own have 12
REPLAY_PART_BYTES: Final = 65_536  # of a shared replay in one part: half of what may be queued for a client
REPLAY_PARTS_MAX: Final = 256  # 16 MiB; a life that a client keeps has at most 10
REPLAYS_LISTED_MAX: Final = 1_000  # files in the host's folder that are looked at for an id
REPLAY_PARTS_BURST: Final = 32  # parts at once, then 1 MiB in a second, for all who ask
REPLAY_PARTS_PER_S: Final = 16
REPLAY_S: Final = 120  # from connect to the last part, absolute, once a part was asked for
KEEPSAKES_MAX: Final = 26  # one letter each, like carried items
REFERENCES_MAX: Final = 256  # creatures, and piles, out of sight that a connection can refer to
LOG_LINES: Final = 40  # the tail of the log that a view holds

PARTY_MAX: Final = 8  # members of a party
PARTY_INVITES_MAX: Final = 3  # open invites from one player, and to one player
PARTY_INVITE_S: Final = 300  # how long an invite stays open
PARTY_IGNORE_S: Final = (
    600  # after it was declined or not answered, the same player's next one is not passed on
)
PARTY_EVERY_MS: Final = 200  # how often the members of a party are sent what has changed about each other
PARTY_REQUESTS_BURST: Final = 10  # messages about parties at once, then one in a second

WATCH_DELAY_S: Final = 10  # how late a watcher outside the party sees: too late to scout for a friend
WATCH_EVERY_MS: Final = (
    100  # how often watchers are sent what is new; it also bounds what is kept for the delay
)
WATCHERS_MAX: Final = 64  # of a server; each costs about as much as a player who is not in a fight
WATCHERS_PER_PLAYER_MAX: Final = 20
WATCHABLE_SHOWN_MAX: Final = 100  # players in the list for watchers
WATCH_REFUSED_MAX: Final = 64  # watchers that a player has ended and who cannot return to them
GUESTS_MAX: Final = 10_000  # guests that a door may show what one connection watches
WATCH_REQUESTS_BURST: Final = 5  # lists and changes of the watched player at once, then one in a second
