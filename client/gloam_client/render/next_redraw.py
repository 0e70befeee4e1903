"""The time at which the frame next changes without an event, so that the client sleeps until then. Pure."""

from gloam_client.render.panels.status_panel import SILENT_MS, UNANSWERED_MS
from gloam_client.state import thinking_notice
from gloam_client.state.model import Model


def next_change_ms(model: Model) -> int | None:
    """Return the time of the next change on the screen without any input, or None."""
    wire, now_ms = model.connection, model.now_ms
    moments: list[int] = []
    if wire.state == "down":
        moments.append(now_ms + 1_000 - (now_ms - wire.since_ms) % 1_000)
    if wire.state == "joined":
        moments.append(_later(wire.heard_ms + SILENT_MS, now_ms))
        if wire.unanswered_since_ms is not None:
            moments.append(_later(wire.unanswered_since_ms + UNANSWERED_MS, now_ms))
        counts = model.options.motion == "full" and model.pace.for_names
        if counts and model.pace_ms + model.pace.ms > now_ms:
            left_ms = model.pace_ms + model.pace.ms - now_ms
            moments.append(now_ms + (left_ms % 1_000 or 1_000))
    if (due_ms := thinking_notice.thinking_due_ms(model)) is not None:
        moments.append(due_ms)
    if model.flash.text:
        moments.append(model.flash.until_ms)
    moments += [call.until_ms for call in model.active_pings]
    moments += [until_ms for until_ms in model.fights.struck.values() if until_ms > now_ms]
    return min(moments, default=None)


def _later(moment_ms: int, now_ms: int) -> int:
    """Return a future time: the given one, or, if it is past, the next whole second after it."""
    if moment_ms > now_ms:
        return moment_ms
    return now_ms + 1_000 - (now_ms - moment_ms) % 1_000
