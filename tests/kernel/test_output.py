"""Output as it comes: nothing is lost, nothing floods."""

import time

import pytest

from support import kernel


@pytest.fixture(scope="module")
def session():
    with kernel() as started:
        yield started


def test_a_flood_of_prints_arrives_whole(session):
    result = session.run("for i in range(100_000):\n    print(i)", timeout=60)
    assert result.text() == "".join(f"{i}\n" for i in range(100_000))
    assert len(result.messages) < 2000


def test_a_flood_in_both_streams_arrives_whole(session):
    result = session.run("import sys\nfor i in range(3000):\n"
                         "    print('o', i)\n    print('e', i, file=sys.stderr)", timeout=60)
    assert result.text("stdout").count("\n") == 3000
    assert result.text("stderr").count("\n") == 3000


def test_a_slow_reader_loses_nothing(session):
    request = session.send("for i in range(200_000):\n    print(f'line {i:060}')")
    time.sleep(2)
    result = session.finish(request, timeout=60)
    assert result.text().count("\n") == 200_000


def test_output_is_seen_while_the_program_runs(session):
    request = session.send("import time\nfor i in range(5):\n    print(i)\n    time.sleep(0.2)")
    begin = time.monotonic()
    seen = []
    while len(seen) < 5:
        session.wait_for("stream", request)
        seen.append(time.monotonic() - begin)
    session.finish(request)
    assert all(abs(moment - seen[0] - 0.2 * i) < 0.15 for i, moment in enumerate(seen))


def test_updates_are_few_and_the_last_is_right(session):
    result = session.run("import time\nh = display(0, display_id=True)\n"
                         "end = time.time() + 1\nn = 0\n"
                         "while time.time() < end:\n    n += 1\n    h.update(n)\nprint(n)")
    updates = result.of("update_display_data")
    assert 10 <= len(updates) <= 25
    assert updates[-1]["data"]["text/plain"] == result.text().strip()


def test_updates_of_several_displays_keep_their_last_state(session):
    result = session.run("hs = [display(0, display_id=True) for _ in range(5)]\n"
                         "for n in range(2000):\n    hs[n % 5].update(n)")
    last = {u["transient"]["display_id"]: u["data"]["text/plain"]
            for u in result.of("update_display_data")}
    assert sorted(last.values()) == ["1995", "1996", "1997", "1998", "1999"]


def test_an_animation_by_clearing_is_thinned_out(session):
    result = session.run("from IPython.display import clear_output\n"
                         "for n in range(3000):\n    clear_output(wait=True)\n    display(n)")
    shown = result.of("display_data")
    assert len(shown) < 500
    assert shown[-1]["data"]["text/plain"] == "2999"


def test_what_is_shown_before_a_waiting_clear_stays(session):
    result = session.run("from IPython.display import clear_output\n"
                         "print('a')\nclear_output(wait=True)")
    assert result.text() == "a\n"


def test_many_displays_arrive_all(session):
    result = session.run("for n in range(700):\n    display(n)", timeout=60)
    assert len(result.of("display_data")) == 700


def test_a_large_text_arrives_whole(session):
    result = session.run("print('äb' * 3_000_000)", timeout=60)
    assert result.text() == "äb" * 3_000_000 + "\n"


def test_what_programs_print_at_exit_arrives(session):
    session.run("import atexit\natexit.register(lambda: print('last words'))")
    session.client.shutdown()
    assert session.wait_for("stream")["content"]["text"] == "last words\n"
