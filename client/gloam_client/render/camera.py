"""The part of the level that the map's window shows, so that the body is in it."""

from msgspec.structs import replace

from gloam_client.render.layout import layout
from gloam_client.state.model import Model


def scroll_to(camera: int, focus: int, level: int, window: int) -> int:
    """Return the window's start along one axis, moved as little as needed to keep `focus` off its margins.

    A level that fits is centered (the answer is then zero or less); a focus in the margin is moved to the
    middle.
    """
    if level <= window:
        return -((window - level) // 2)
    margin = min(max(window // 5, 2), max((window - 1) // 2, 0))
    if not camera + margin <= focus < camera + window - margin:
        camera = focus - window // 2
    return max(0, min(camera, level - window))


def follow_body(model: Model) -> Model:
    """Return the model with the camera moved so that the body is visible."""
    place = model.view.place
    if not place.width:
        return model
    area = layout(*model.surface.size, place.width).map
    y, x = divmod(model.view.cell, place.width)
    camera = (
        scroll_to(model.camera[0], x, place.width, area.width),
        scroll_to(model.camera[1], y, place.height, area.height),
    )
    return model if camera == model.camera else replace(model, camera=camera)
