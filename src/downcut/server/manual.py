"""The page of what can be asked of the server: from its OpenAPI, with nothing of other hosts."""

from html import escape
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}: what can be asked</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto }}
code {{ font-size: 0.95em }}
dt {{ margin-top: 1.2rem }}
small {{ opacity: 0.75 }}
</style>
<h1>{title}</h1>
<p>{summary} For programs: <a href="openapi.json">openapi.json</a>. Lands that grow and rain that
falls come over the WebSocket <code>/api/live</code>.</p>
<dl>
{rows}
</dl>
</html>
"""


@router.get("/api/docs")
def manual(request: Request) -> HTMLResponse:
    """List every request with its sentence and its parameters."""
    described = request.app.openapi()
    rows = (
        _row(method, path, what)
        for path, methods in described["paths"].items()
        for method, what in methods.items()
    )
    about = {key: escape(described["info"][key]) for key in ("title", "summary")}
    return HTMLResponse(PAGE.format(rows="\n".join(rows), **about))


def _row(method: str, path: str, what: dict[str, Any]) -> str:
    takes = [p["name"] for p in what.get("parameters", ()) if p["in"] == "query"]
    takes += ["a body"] if "requestBody" in what or method == "post" else []
    more = f" <small>takes {escape(', '.join(takes))}</small>" if takes else ""
    said = escape(what.get("description", ""))
    return f"<dt><code>{method.upper()} {escape(path)}</code>{more}</dt>\n<dd>{said}</dd>"
