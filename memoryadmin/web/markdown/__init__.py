"""Memory text on a page, as safe HTML: `render` lays Markdown out, `render_plain` shows it as stored."""

from memoryadmin.web.markdown.rendering import Rendered, render, render_plain

__all__ = ["Rendered", "render", "render_plain"]
