"""`downcut presets`: list the recipes that ship."""

from downcut import presets as shipped
from downcut.commands.app import app
from downcut.commands.options import AsJson


@app.command()
def presets(as_json: AsJson = False) -> None:
    """List the recipes that ship."""
    from downcut import report

    recipes = {name: shipped.load(name) for name in shipped.names()}
    report.say(recipes, report.presets, as_json=as_json)
