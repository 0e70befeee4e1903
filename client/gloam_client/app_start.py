"""The client in its first state: the same on a terminal, and on the surface of a visitor."""

from importlib.metadata import PackageNotFoundError, version
from typing import Final

from gloam_client.app import App
from gloam_client.net.launch_options import LaunchOptions
from gloam_client.player_store import PlayerStore
from gloam_client.screens.play import Play
from gloam_client.screens.replays.replay_view import ReplayView
from gloam_client.screens.title.title import Title
from gloam_client.services.services import Services
from gloam_client.state.home import Home
from gloam_client.state.model import Model, Screen, add_message
from gloam_client.state.options import Options
from gloam_client.state.records import Guidance, Guide, LoginState, ServerFacts, SurfaceFacts
from gloam_client.surface.surface import Surface

_TOLD: Final = "A broken file of settings was kept aside; the log of the game says which."
_DEFAULTS: Final = "Your options or keys could not be read: those that cannot are the defaults again."


def begin(
    start: LaunchOptions,
    surface: Surface,
    services: Services,
    store: PlayerStore,
    options: Options,
    faults: tuple[str, ...],
) -> App:
    """Return the client in its first state, on any surface. `faults` are sentences about broken files of options."""
    title, address = start.titled, start.address
    model = Model(
        screens=(_first_screen(start, told=bool(faults)),),
        options=options,
        name=start.name,
        home=services.read_home() if title else Home(),
        server=ServerFacts(address=str(address) if address else services.own_address() if title else ""),
        guidance=Guidance(
            given={} if start.replay else store.load_hints(),
            guide=Guide() if start.replay else Guide(session=store.next_session()),
        ),
        login=LoginState(means=start.means),
        surface=SurfaceFacts(
            kind=surface.kind,
            unicode=surface.unicode if options.glyphs == "auto" else options.glyphs != "ascii",
        ),
    )
    if surface.kind != "terminal":  # a sentence would name a file of the host
        faults = (_DEFAULTS,) if faults else ()
    for fault in faults:
        model = add_message(model, fault, "urgent")
    return App(start, surface, services, store, model)


def _first_screen(start: LaunchOptions, *, told: bool) -> Screen:
    """Return the screen that a run begins with; `told` says that the log tells of faults in the options."""
    if start.replay is not None:
        return ReplayView(start.replay.name)
    return Title(start.name, fault=_TOLD if told else "") if start.titled else Play()


def agent() -> str:
    """Return the name and the version of this client."""
    try:
        return f"gloam {version('gloam')}"
    except PackageNotFoundError:
        return "gloam"
