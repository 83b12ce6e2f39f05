"""Bodies that are too long are refused while they come, and cost no memory."""

import socket

MOST = 40 << 20
"""Bytes by which the memory may rise: little beside 400 MB."""

JSON = ("POST /api/jobs HTTP/1.1", "Content-Type: application/json")


def send(studio, head, chunks):
    """Send a request bit by bit until all is said or the server has hung up; its answer."""
    with socket.create_connection(("127.0.0.1", studio.port), 30) as raw:
        lines = (*head, f"Host: 127.0.0.1:{studio.port}", f"Cookie: {studio.cookie['cookie']}")
        raw.sendall("\r\n".join((*lines, "", "")).encode())
        sent = 0
        try:
            for chunk in chunks:
                raw.sendall(chunk)
                sent += len(chunk)
        except OSError:
            pass
        try:
            answer = raw.recv(65536)
        except OSError:
            answer = b""
    return answer.split(b"\r\n")[0].decode(), sent


def million(count, chunked):
    chunk = bytes(1 << 20)
    framed = b"100000\r\n" + chunk + b"\r\n" if chunked else chunk
    return (framed for _ in range(count))


def test_a_length_that_is_too_long_is_refused_before_anything_is_read(studio):
    before = studio.memory()
    head = ("POST /api/jobs HTTP/1.1", f"Content-Length: {400 << 20}")
    answer, sent = send(studio, head, million(400, False))
    assert sent < 100 << 20
    assert answer in ("HTTP/1.1 413 Request Entity Too Large", "HTTP/1.1 413 Content Too Large", "")
    assert studio.memory() - before < MOST


def test_a_body_that_does_not_say_its_length_is_cut_off_at_the_limit(studio):
    before = studio.memory()
    head = (*JSON, "Transfer-Encoding: chunked")
    answer, sent = send(studio, head, million(400, True))
    assert sent < 100 << 20
    assert answer == "" or " 413 " in answer
    assert studio.memory() - before < MOST


def test_the_refusal_is_a_sentence_where_the_client_waits_for_it(studio):
    head = (*JSON, "Transfer-Encoding: chunked")
    chunk = bytes(5 << 20)
    answer, _ = send(studio, head, [b"%x\r\n" % len(chunk) + chunk + b"\r\n"])
    assert answer.startswith("HTTP/1.1 413 ")


def test_an_upload_is_taken_in_as_it_comes(studio):
    before = studio.memory()
    answer = studio.client.post("/api/uploads?name=x.npy", content=million(100, False))
    assert answer.status_code == 422
    assert "\n" not in answer.json()["error"]
    assert studio.memory() - before < MOST


def test_half_a_body_is_no_fault(studio):
    head = (*JSON, "Content-Length: 1000")
    with socket.create_connection(("127.0.0.1", studio.port), 30) as raw:
        lines = (*head, f"Host: 127.0.0.1:{studio.port}", f"Cookie: {studio.cookie['cookie']}")
        raw.sendall("\r\n".join((*lines, "", "{")).encode())
    assert studio.client.get("/api/about").status_code == 200
