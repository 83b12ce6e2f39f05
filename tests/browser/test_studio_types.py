"""The page's types are those of the program's schema."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from downcut.recipe import Recipe

WEB = Path(__file__).parents[2] / "web"
MADE = WEB / "studio" / "api" / "recipe.gen.ts"


def test_types_of_a_recipe_are_made_from_its_schema():
    """After a change of a step: downcut schema | node tools/types.mjs > studio/api/recipe.gen.ts"""
    node = shutil.which("node")
    if not node or not (WEB / "node_modules" / "json-schema-to-typescript").is_dir():
        pytest.skip("needs node and the packages of web/ (npm ci)")
    made = subprocess.run(
        [node, "tools/types.mjs"],
        cwd=WEB,
        input=json.dumps(Recipe.model_json_schema()).encode(),
        capture_output=True,
        check=True,
    )
    assert made.stdout.decode() == MADE.read_text("utf-8")
