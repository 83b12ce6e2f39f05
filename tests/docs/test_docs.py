"""The pages say what is true: commands run, code runs, links lead somewhere, tables are current."""

import doctest
import importlib
import json
import re
import shlex
import sys
from functools import cache
from pathlib import Path

import pytest

from downcut import cli, presets
from downcut.export import targets

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("[AC]*.md"))]
TOLD = [ROOT / "README.md", DOCS / "guide.md"]
REMEDY = "run `make docs`"


def ids(path):
    return str(path.relative_to(ROOT))


@cache
def made(name):
    """A module beside the pages, as docs/steps_page.py."""
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(DOCS))


def blocks(page, kind):
    """The contents of a page's fences of a kind, as ```python."""
    text = page.read_text("utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


# --- pages made by the program ------------------------------------------------------------------


def test_the_steps_page_is_current():
    assert (DOCS / "steps.md").read_text("utf-8") == made("steps_page").text(), REMEDY


@pytest.mark.parametrize("name", presets.names())
def test_the_gallery_shows_each_preset_as_it_is(name):
    page = (DOCS / "gallery.md").read_text("utf-8")
    picture = DOCS / "gallery" / f"{name}.jpg"
    assert f"(gallery/{picture.name})" in page, REMEDY
    assert made("gallery_page").shown(name).digest in page, REMEDY
    assert 0 < picture.stat().st_size <= made("gallery_page").LARGEST_PICTURE


@pytest.mark.parametrize("name", targets.NAMES)
def test_every_program_has_its_page(name, tmp_path):
    page = (DOCS / "export" / f"{name}.md").read_text("utf-8")
    picture = DOCS / "export" / "pictures" / f"{name}.jpg"
    pages = made("export_pages")
    assert pages.facts(name) in page, REMEDY
    assert pages.WORDS[name] in page, REMEDY
    assert pages.job(name, tmp_path / "new").recipe.digest in page, REMEDY
    assert f"(pictures/{picture.name})" in page, REMEDY
    assert 10_000 < picture.stat().st_size <= 150_000
    assert f"(export/{name}.md)" in (DOCS / "guide.md").read_text("utf-8")


def test_every_cited_key_is_in_the_references():
    known, cited = made("references").load(), made("references").cited()
    assert not {key: where for key, where in cited.items() if key not in known}
    assert {"beyer2015", "cordonnier2019"} <= set(cited)  # of a step, and of a docstring


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_keys_in_pages_are_in_the_references(page):
    mentioned = made("references").MENTION.findall(page.read_text("utf-8"))
    assert {key.lower() for key in mentioned} <= set(made("references").load())


def test_references_are_complete():
    for key, entry in made("references").load().items():
        assert {"author", "title", "year"} <= set(entry), key
        assert key.endswith(entry["year"]), key
        assert "unpublished" not in made("references").full(entry), key


# --- links --------------------------------------------------------------------------------------


def anchors(page):
    """What can be linked to on a page, as GitHub names it."""
    text = page.read_text("utf-8")
    heads = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_relative_links_lead_somewhere(page):
    plain = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", plain):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        assert not anchor or anchor in anchors(target), link


# --- code and commands --------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [*TOLD, DOCS / "world.md"], ids=ids)
def test_python_runs(page, folder):
    names = {"__name__": page.stem}
    found = blocks(page, "python")
    assert found
    for block in found:
        small = re.sub(r"(?<!\w)size=\d+", "size=64", block)
        if ">>>" in small:
            test = doctest.DocTestParser().get_doctest(small, names, page.name, str(page), 0)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names |= test.globs
        else:
            exec(compile(small, str(page), "exec"), names)


def commands(page, kind):
    """Each `downcut …` line of a page's fences, without prompt and comment, and what follows."""
    for block in blocks(page, kind):
        lines = block.splitlines()
        for number, line in enumerate(lines):
            words = shlex.split(line, comments=True)
            words = words[1:] if words[:1] == ["$"] else words
            if words[:1] == ["downcut"]:
                yield words[1:], "\n".join(lines[number + 1 :])


def small(words):
    """The command for a small land; other commands as they are."""
    if words[0] not in ("generate", "export", "build"):
        return words
    if "--size" in words:
        place = words.index("--size") + 1
        return [*words[:place], "64", *words[place + 1 :], "--quiet"]
    return [*words, "--size", "64", "--quiet"]


def write_recipes(page, folder):
    """Put the page's JSON blocks where the page says they are."""
    names = re.findall(r"[Ww]rite this to `([^`]+)`", page.read_text("utf-8"))
    for name, block in zip(names, blocks(page, "json"), strict=True):
        json.loads(block)
        (folder / name).write_text(block, "utf-8")


@pytest.mark.parametrize("page", TOLD, ids=ids)
def test_commands_do_what_the_page_says(page, folder, capsys):
    write_recipes(page, folder)
    found = list(commands(page, "console"))
    assert found
    for words, _ in found:
        code = cli.call(small(words))
        assert code == 0, f"downcut {shlex.join(words)}: {capsys.readouterr().err}"


@pytest.mark.parametrize("page", TOLD, ids=ids)
def test_errors_read_as_the_page_says(page, folder, capsys):
    write_recipes(page, folder)
    for words, said in commands(page, "text"):
        assert cli.call(words) == 2
        assert capsys.readouterr().err.strip() == said.strip()
