"""A thousand requests at once, on as many connections: all are answered, none by a fault."""

import asyncio
import json
from collections import Counter


async def talk(studio, method, path, body=b""):
    """One request; the status, headers and body of its answer."""
    head = (
        f"{method} {path} HTTP/1.1",
        f"Host: 127.0.0.1:{studio.port}",
        f"Cookie: {studio.cookie['cookie']}",
        f"Content-Length: {len(body)}",
        "Content-Type: application/json",
        "Connection: close",
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", studio.port)
    writer.write("\r\n".join((*head, "", "")).encode() + body)
    answer = await reader.read()
    writer.close()
    lines, _, content = answer.partition(b"\r\n\r\n")
    return int(lines.split()[1]), lines.decode().lower(), content


def test_a_thousand_at_once_are_answered_and_none_by_a_fault(studio, land):
    def ask(number):
        job = {"kind": "grow", "recipe": land.recipe(seed=number)}
        return (
            talk(studio, "POST", "/api/jobs", json.dumps(job).encode()),
            talk(studio, "POST", "/api/jobs", b"{" * number),
            talk(studio, "GET", "/api/about"),
            talk(studio, "GET", f"/api/jobs/{number}"),
            talk(studio, "GET", "/api/presets/alpine.jpg"),
        )

    async def all_at_once():
        return await asyncio.gather(*(each for number in range(200) for each in ask(number)))

    answers = asyncio.run(all_at_once())
    counted = Counter(status for status, _, _ in answers)
    assert sum(counted.values()) == 1000
    assert set(counted) <= {200, 202, 404, 422, 429}, counted
    assert (counted[200], counted[404], counted[422]) == (400, 200, 200)
    assert counted[202] >= 33
    for status, head, content in answers:
        if status == 429:
            assert "retry-after: 1" in head
            assert "try again" in json.loads(content)["error"]
    assert studio.client.get("/api/about").status_code == 200
