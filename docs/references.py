"""References: what references.bib holds, and who in the package cites it."""

import re
from collections.abc import Iterable
from pathlib import Path

import downcut
from downcut.steps import STEPS, op_of

BIB = Path(__file__).with_name("references.bib")

Entry = dict[str, str]

MENTION = re.compile(r"\[([A-Za-z]+\d{4})\]_?")
"""A key in brackets, as docstrings and pages cite it."""


def load() -> dict[str, Entry]:
    """Return the entries by key in lower case: BibTeX takes keys in any case for the same."""
    entries: dict[str, Entry] = {}
    for block in re.split(r"^@", BIB.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        kind, key = re.match(r"(\w+)\{([^,\s]+),", block).groups()
        fields = dict(re.findall(r"^\s+(\w+)\s*=\s*\{(.*)\},$", block, flags=re.MULTILINE))
        assert key.lower() not in entries, f"{key} is there twice"
        entries[key.lower()] = {"kind": kind, **fields}
    return entries


def plain(text: str) -> str:
    """Return a field without TeX's signs."""
    return text.replace(r"\&", "&").replace("--", "–").replace("{", "").replace("}", "")


def names(entry: Entry) -> list[str]:
    """Return the authors' last names."""
    return [author.split(",")[0].strip() for author in entry["author"].split(" and ")]


def short(entry: Entry) -> str:
    """Return a reference as running text has it, as Barnes et al. 2014."""
    who = names(entry)
    said = f"{who[0]} et al." if len(who) > 2 else " & ".join(who)
    return f"{said} {entry['year']}"


def full(entry: Entry) -> str:
    """Return a reference as a list has it."""
    where = [entry.get(name, "") for name in ("journal", "booktitle", "school", "institution")]
    where += [entry.get("publisher", ""), entry.get("howpublished", ""), "unpublished"]
    volume = " ".join(filter(None, [entry.get("volume"), _in_brackets(entry.get("number"))]))
    if "volume" not in entry and "number" in entry:
        volume = f"{entry.get('type', 'no.')} {entry['number']}"
    if "school" in entry:
        volume = entry["type"]
    parts = [next(filter(None, where)), volume, entry.get("pages", "")]
    said = f"{entry['author'].replace(' and ', '; ')} ({entry['year']}). {entry['title']}. "
    said += f"*{parts[0]}*{''.join(f', {part}' for part in parts[1:] if part)}."
    link = f"https://doi.org/{entry['doi']}" if "doi" in entry else entry.get("url", "")
    return plain(said) + (f" <{link}>" if link else "")


def _in_brackets(text: str | None) -> str:
    return f"({text})" if text else ""


def cited() -> dict[str, str]:
    """Return each key that a step or a docstring of the package cites, and where."""
    found = {key.lower(): op_of(kind) for kind in STEPS for key in kind.cites}
    for path in sorted(Path(downcut.__file__).parent.rglob("*.py")):
        for key in MENTION.findall(path.read_text("utf-8")):
            found.setdefault(key.lower(), path.name)
    return found


def linked(text: str) -> str:
    """Return the text with its [keys] as links to the list of references."""
    known = load()
    return MENTION.sub(lambda m: link(m[1].lower(), known) or m[0], text)


def link(key: str, known: dict[str, Entry]) -> str:
    """Return a link into the list of references; nothing for a key that is not there."""
    return f"[{short(known[key])}](#{key})" if key in known else ""


def reference_list(keys: Iterable[str]) -> str:
    """Return a list that the page's links lead to."""
    known = load()
    lines = [f'- <a id="{key}"></a>{full(known[key])}' for key in sorted(set(keys))]
    return "\n".join(["## References", "", *lines, ""])
