"""Only our own page, by our own name and with the key, gets anything done."""

import json
import socket
import time

import httpx
import numpy as np
import pytest
from websockets.exceptions import InvalidStatus

from downcut.server.guard import Guard, opening_link

EVIL = "http://evil.example"


def test_another_name_for_this_machine_is_refused(studio):
    for host in ("evil.example", f"evil.example:{studio.port}", "127.0.0.1:1", "127.0.0.1", ""):
        for path in ("/", "/api/about", "/api/jobs/x"):
            assert studio.client.get(path, headers={"host": host}).status_code == 403


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_the_names_of_this_machine_are_taken(studio, name):
    headers = {"host": f"{name}:{studio.port}"}
    assert studio.client.get("/api/about", headers=headers).status_code == 200


def test_another_page_can_ask_nothing_even_with_the_cookie(studio, land):
    for origin in (EVIL, "null", f"http://127.0.0.1:{studio.port + 1}", "https://127.0.0.1", ""):
        headers = {"origin": origin}
        assert studio.client.get("/api/schema", headers=headers).status_code == 403
        body = json.dumps({"kind": "grow", "recipe": land.plain})
        asked = studio.client.post(
            "/api/jobs", content=body, headers=headers | {"content-type": "text/plain"}
        )
        assert asked.status_code == 403
        assert "another page" in asked.json()["error"]


def test_whoever_is_refused_hears_it_though_the_body_comes_late(studio):
    """A line that is closed with words unread is reset, and the answer may be lost with it."""
    head = f"POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nContent-Length: 9\r\n\r\n"
    for wait in np.linspace(0, 0.002, 200):
        with socket.create_connection(("127.0.0.1", studio.port)) as line:
            line.sendall(head.encode())
            time.sleep(wait)
            line.sendall(b"x" * 9)
            answer = b""
            while part := line.recv(4096):
                answer += part
        assert answer.startswith(b"HTTP/1.1 401")
        assert b"carries the key" in answer


def test_words_that_are_no_json_are_refused_whatever_they_say(studio, land):
    body = json.dumps({"kind": "grow", "recipe": land.plain})
    headers = {"content-type": "text/plain"}
    assert studio.client.post("/api/jobs", content=body, headers=headers).status_code == 422


@pytest.mark.parametrize("shown", [{}, {"cookie": "downcut-1=x"}, {"x-downcut-token": "wrong"}])
def test_without_the_key_nothing_is_computed_or_told(studio, land, shown):
    stranger = httpx.Client(base_url=studio.address, headers=shown)
    with stranger:
        for path in ("/api/opened", "/api/jobs/x", "/api/lands/x", "/api/exports/x"):
            assert stranger.get(path).status_code == 401
        body = {"kind": "grow", "recipe": land.plain}
        assert stranger.post("/api/jobs", json=body).status_code == 401
        assert stranger.post("/api/uploads?name=a.npy", content=b"x").status_code == 401
        for path in ("/api/about", "/api/schema", "/api/presets", "/api/first"):
            assert stranger.get(path).status_code == 200


def test_the_opening_link_gives_the_key_once_and_takes_it_out_of_the_address(studio):
    with httpx.Client() as browser:
        answer = browser.get(studio.link.split()[-1])
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert browser.get(f"{studio.address}/api/opened").status_code == 200
        wrong = httpx.get(f"{studio.address}/?token=wrong")
        assert "set-cookie" not in wrong.headers


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example", "//evil.example"])
def test_the_opening_link_leads_nowhere_else(studio, path):
    with socket.create_connection(("127.0.0.1", studio.port)) as raw:
        line = f"GET {path}?token={studio.token} HTTP/1.1\r\n"
        raw.sendall(f"{line}Host: 127.0.0.1:{studio.port}\r\n\r\n".encode())
        said = raw.recv(4096).decode().lower()
    assert "\r\nlocation: /\r\n" in said


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": EVIL}, 403),
        ({"Origin": "null"}, 403),
        ({"Cookie": "downcut-1=x"}, 401),
        ({"Cookie": ""}, 401),
    ],
    ids=str,
)
def test_a_live_line_is_refused_before_it_is_there(studio, headers, status):
    studio_cookie = {} if "Cookie" in headers else studio.cookie
    from websockets.sync.client import connect

    with (
        pytest.raises(InvalidStatus) as refused,
        connect(
            f"ws://127.0.0.1:{studio.port}/api/live",
            additional_headers={**studio_cookie, **headers},
        ),
    ):
        pass
    assert refused.value.response.status_code == status


def test_our_own_page_gets_a_line_and_headers_that_bind_it(studio):
    with studio.live(Origin=studio.address) as page:
        assert page.until("engine")["warm"]
    answer = studio.client.get("/api/about")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-eval" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers


def test_only_this_machine_is_listened_to(studio):
    listening = [c for c in _connections(studio) if c.status == "LISTEN"]
    assert {c.laddr.ip for c in listening} == {"127.0.0.1"}


def _connections(studio):
    import psutil

    return psutil.Process(studio.process.pid).net_connections()


@pytest.mark.parametrize(
    ("host", "called", "ours"),
    [
        ("0.0.0.0", "192.168.1.7:8420", True),
        ("0.0.0.0", "rebound.example:8420", False),
        ("studio.lan", "studio.lan:8420", True),
        ("studio.lan", "192.168.1.7:8420", False),
        ("127.0.0.1", "user@127.0.0.1:8420", False),
        ("127.0.0.1", "127.0.0.1:99999", False),
        ("127.0.0.1", "[::1", False),
    ],
)
def test_an_address_that_was_asked_for_is_ours_and_a_name_that_was_not_is_none(host, called, ours):
    guard = Guard(None, port=8420, token="x", host=host)
    assert guard._is_ours(called) is ours


def test_the_link_names_an_address_that_a_browser_can_open():
    assert opening_link("0.0.0.0", 80, "t") == "http://127.0.0.1:80/?token=t"
    assert opening_link("::1", 80, "t") == "http://[::1]:80/?token=t"
