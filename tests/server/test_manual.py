"""The page of what can be asked names every request, and loads nothing from anywhere."""

import re


def test_every_request_is_told_in_a_sentence(studio):
    page = studio.client.get("/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    described = studio.client.get("/api/openapi.json").json()
    assert len(described["paths"]) > 10
    for path, methods in described["paths"].items():
        for method, what in methods.items():
            assert f"{method.upper()} {path}" in page.text
            assert what["description"].endswith((".", "first."))
    assert "/api/docs" not in described["paths"]


def test_it_loads_nothing(studio):
    text = studio.client.get("/api/docs").text
    assert re.findall(r"(?:src|href)=\"([^\"]*)\"", text) == ["openapi.json"]
    assert "<script" not in text
    assert "@import" not in text
