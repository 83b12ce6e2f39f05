"""Whatever is said to the server, it answers in words and goes on."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

EXAMPLES = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["grow", "watch", "elevation", "../../etc/passwd", "\\ud800", "fields.fbm"]),
)
JSON = st.recursive(
    ODD,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def spoiled(message):
    """A message in which some things are others, gone, or more."""
    return st.builds(
        lambda changes, gone: {k: v for k, v in {**message, **changes}.items() if k not in gone},
        st.dictionaries(st.sampled_from([*message, "extra"]), JSON, max_size=3),
        st.sets(st.sampled_from(list(message)), max_size=2),
    )


STEP = spoiled({"op": "fields.fbm", "wavelength": 900.0, "amplitude": 300.0, "octaves": 3})
RECIPE = st.builds(
    lambda recipe, steps: {**recipe, "steps": steps} if recipe.get("steps") == 0 else recipe,
    spoiled({"grid": {"ny": 8, "nx": 8, "cell_size": 20}, "seed": "1", "steps": 0}),
    st.lists(STEP, max_size=3),
)


def sentence(text):
    """Whether a person can read it."""
    return bool(text) and "Traceback" not in text and "\n" not in text and len(text) < 4000


@EXAMPLES
@given(
    body=st.one_of(
        JSON,
        st.builds(lambda job, recipe: {**job, "recipe": recipe}, spoiled({"kind": "grow"}), RECIPE),
        spoiled({"kind": "export", "recipe": {}, "format": ".npy", "options": {}, "tiles": [1, 1]}),
    )
)
def test_any_body_is_taken_or_refused_by_a_sentence(studio, body):
    text = json.dumps(body)  # NaN and half letters included
    headers = {"content-type": "application/json"}
    answer = studio.client.post("/api/jobs", content=text, headers=headers)
    assert answer.status_code in (202, 422, 429), answer.text
    if answer.status_code == 202:
        studio.client.delete(f"/api/jobs/{answer.json()['job']}")
    else:
        assert sentence(answer.json()["error"])


@EXAMPLES
@given(body=st.binary(max_size=200), kind=st.sampled_from(["application/json", "text/plain", "x"]))
def test_any_bytes_are_refused_by_a_sentence(studio, body, kind):
    answer = studio.client.post("/api/jobs", content=body, headers={"content-type": kind})
    assert answer.status_code in (400, 422)
    assert sentence(answer.json()["error"])


@EXAMPLES
@given(path=st.text("abcd./%20?#&=:@\\é~", max_size=30), method=st.sampled_from(["GET", "DELETE"]))
@pytest.mark.parametrize("root", ["/", "/api/", "/api/lands/", "/api/exports/", "/api/presets/"])
def test_any_address_is_found_or_not(studio, root, path, method):
    from urllib.parse import quote

    answer = studio.client.request(method, root + quote(path, safe="/?&=.%"))
    assert answer.status_code in (200, 307, 400, 404, 405, 422), answer.text
    assert "root:" not in answer.text


@EXAMPLES
@given(
    message=st.one_of(
        JSON,
        spoiled({"do": "watch", "ask": 1, "recipe": {}, "path": "steps.0", "speed": 30}),
        spoiled({"do": "drop", "ask": 1, "recipe": {}, "x": 0, "y": 0}),
        st.builds(
            lambda message, recipe: {**message, "recipe": recipe},
            spoiled({"do": "grow", "ask": 1, "sizes": [8, 16], "layers": ["elevation"]}),
            RECIPE,
        ),
    )
)
def test_any_message_is_answered_and_the_line_goes_on(studio, line, message):
    line.socket.send(json.dumps(message))
    line.say("nothing", ask=2**52)
    while (said := line.until("error"))["ask"] != 2**52:
        assert sentence(said["text"])


@pytest.fixture(scope="module")
def line(studio):
    with studio.live() as talk:
        yield talk


def test_bytes_where_words_are_expected_end_the_line_and_nothing_else(studio):
    with studio.live() as talk:
        talk.until("engine")
        talk.socket.send(b"\x00\x01")
        with pytest.raises(ConnectionClosed):
            talk.until("grown")
    assert studio.client.get("/api/about").status_code == 200
