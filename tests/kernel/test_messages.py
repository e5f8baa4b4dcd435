"""Every type of request, as a front sees it answered."""

import pytest

from support import kernel


@pytest.fixture(scope="module")
def session():
    with kernel() as started:
        yield started


def test_info_tells_of_the_language(session):
    content = session.client.kernel_info(reply=True, timeout=30)["content"]
    assert content["status"] == "ok"
    assert content["protocol_version"].startswith("5.")
    assert content["language_info"]["name"] == "strider"
    assert content["language_info"]["file_extension"] == ".npx"


def test_an_entry_is_busy_first_and_idle_last(session):
    result = session.run("print('a')\n6 * 7")
    assert result.kinds == ["status", "execute_input", "stream", "execute_result", "status"]
    assert result.messages[0]["content"]["execution_state"] == "busy"
    assert result.value == "42" and result.text() == "a\n"
    assert result.of("execute_input")[0]["code"] == "print('a')\n6 * 7"
    assert result.of("execute_result")[0]["execution_count"] == result.content["execution_count"]


def test_printed_streams_keep_their_order(session):
    result = session.run("import sys\nfor i in range(3):\n"
                         "    print('o', i)\n    print('e', i, file=sys.stderr)")
    assert [(c["name"], c["text"]) for c in result.of("stream")] == [
        (name, f"{name[3]} {i}\n") for i in range(3) for name in ("stdout", "stderr")]


def test_an_error_is_told_once(session):
    result = session.run("kept = 5\n1 / 0")
    assert result.status == "error"
    errors = result.of("error")
    assert len(errors) == 1 and not result.of("stream")
    assert errors[0]["ename"] == "ZeroDivisionError" and errors[0]["evalue"] == "division by zero"
    assert "\x1b[" in "".join(errors[0]["traceback"])
    assert session.run("kept").value == "5"


def test_a_syntax_error_is_an_error_like_others(session):
    errors = session.run("x = = 1").of("error")
    assert len(errors) == 1 and errors[0]["ename"] == "SyntaxError"


def test_a_silent_entry_shows_and_counts_nothing(session):
    before = session.run("1").content["execution_count"]
    result = session.run("quiet = 3\nquiet", silent=True)
    assert result.status == "ok" and result.kinds == ["status", "status"]
    failed = session.run("1 / 0", silent=True)
    assert failed.status == "error" and failed.kinds == ["status", "status"]
    assert session.run("quiet").content["execution_count"] == before + 1


def test_a_semicolon_hides_the_value(session):
    assert session.run("3;").value is None


def test_all_expressions_show_their_value_on_request(session):
    session.run("from IPython.core.interactiveshell import InteractiveShell as Shell")
    session.run("Shell.ast_node_interactivity = 'all'")
    try:
        results = session.run("1 + 1\nx = 3\nx\nx * 2").of("execute_result")
        assert [each["data"]["text/plain"] for each in results] == ["2", "3", "6"]
        session.run("%config InteractiveShell.ast_node_interactivity = 'none'")
        assert session.run("4").value is None
    finally:
        session.run("Shell.ast_node_interactivity = 'last_expr'")
    assert session.run("4\n5").value == "5"


def test_expressions_of_the_user_are_evaluated_beside_the_entry(session):
    result = session.run("a = 6", user_expressions={"good": "a * 7", "bad": "nowhere"})
    values = result.content["user_expressions"]
    assert values["good"]["status"] == "ok" and values["good"]["data"]["text/plain"] == "42"
    assert values["bad"]["status"] == "error" and values["bad"]["ename"] == "NameError"


def test_arrays_are_shown_as_text_and_table(session):
    result = session.run("import numpy as np\nnp.arange(6.0).reshape(2, 3)")
    data = result.of("execute_result")[0]["data"]
    assert data["text/plain"].startswith("array([[0., 1., 2.]")
    assert "<table" in data["text/html"] and "float64 (2, 3)" in data["text/html"]


def test_images_are_shown_with_their_size(session):
    result = session.run("from IPython.display import Image, display\nimport numpy as np\n"
                         "display(Image(np.zeros((4, 6), np.uint8), width=60))")
    shown = result.of("display_data")[0]
    assert shown["data"]["image/png"].startswith("iVBOR")
    assert shown["metadata"]["image/png"]["width"] == 60


def test_displays_are_updated_by_their_id(session):
    result = session.run("h = display('first', display_id=True)\nh.update('second')")
    shown, again = result.of("display_data")[0], result.of("update_display_data")[0]
    assert shown["transient"]["display_id"] == again["transient"]["display_id"]
    assert again["data"]["text/plain"] == "'second'"


def test_output_is_cleared_on_request(session):
    result = session.run("from IPython.display import clear_output\nclear_output(wait=True)\n"
                         "print('after')")
    assert result.of("clear_output") == [{"wait": True}] and result.text() == "after\n"


def test_completion_counts_code_points(session):
    code = "s = 'äöü😀'; sorte"
    content = session.client.complete(code, len(code), reply=True, timeout=30)["content"]
    assert content["matches"] == ["sorted"]
    assert content["cursor_start"] == len(code) - 5 and content["cursor_end"] == len(code)


def test_completion_tells_shapes(session):
    session.run("import numpy as np\nbig_matrix = np.zeros((3, 4), np.float32)")
    content = session.client.complete("big_mat", reply=True, timeout=30)["content"]
    types = content["metadata"]["_jupyter_types_experimental"]
    assert content["matches"] == ["big_matrix"] and "float32" in types[0]["type"]


def test_inspection_tells_shape_and_documentation(session):
    session.run("import numpy as np\nm = np.ones((3, 4))")
    known = session.client.inspect("m", reply=True, timeout=30)["content"]
    assert known["found"] and "float64" in known["data"]["text/plain"]
    assert not session.client.inspect("nowhere", reply=True, timeout=30)["content"]["found"]


def test_completeness_comes_with_an_indent(session):
    def state(text):
        request = session.client.is_complete(text)
        content = session.reply(request)["content"]
        session.collect(request)
        return content["status"], content.get("indent")
    assert state("1 + 1") == ("complete", "")
    assert state("for x in y:") == ("incomplete", "    ")
    assert state("x = = 1") == ("invalid", "")


def test_history_knows_inputs_and_outputs(session):
    session.run("11 * 11")
    request = session.client.history(hist_access_type="tail", n=1, output=True, raw=True)
    rows = session.reply(request)["content"]["history"]
    session.collect(request)
    assert rows[0][2] == ["11 * 11", "121"]


def test_a_question_mark_pages_documentation(session):
    payload = session.run("sorted?").content["payload"]
    assert len(payload) == 1 and payload[0]["source"] == "page"
    assert "sorted" in payload[0]["data"]["text/plain"]


def test_commands_run(session):
    assert session.run("!echo from the shell").text() == "from the shell\n"
    assert session.run("%lsmagic").status == "ok"
    lines = session.run("found = !echo one; echo two\nfound").value
    assert lines == "['one', 'two']"


def test_unknown_comms_are_closed(session):
    client = session.client

    def send(kind, content):
        message = client.session.msg(kind, content)
        client.shell_channel.send(message)
        return session.collect(message["header"]["msg_id"])
    opened = send("comm_open", {"comm_id": "c1", "target_name": "nothing", "data": {}})
    assert [m["msg_type"] for m in opened] == ["status", "comm_close", "status"]
    for kind in ("comm_msg", "comm_close"):
        messages = send(kind, {"comm_id": "c1", "data": {}})
        assert [m["msg_type"] for m in messages] == ["status", "status"]
    request = client.comm_info()
    assert session.reply(request)["content"]["comms"] == {}
    session.collect(request)


def test_a_request_of_an_unknown_type_does_no_harm(session):
    message = session.client.session.msg("strange_request", {})
    session.client.shell_channel.send(message)
    kinds = [m["msg_type"] for m in session.collect(message["header"]["msg_id"])]
    assert kinds == ["status", "status"]
    assert session.run("1").value == "1"


def test_control_answers_while_a_cell_runs(session):
    request = session.send("import time\nprint('on')\ntime.sleep(1)")
    session.wait_for("stream", request)
    message = session.client.session.msg("kernel_info_request", {})
    session.client.control_channel.send(message)
    reply = session.client.get_control_msg(timeout=0.5)
    assert reply["msg_type"] == "kernel_info_reply"
    session.finish(request)


def test_control_refuses_what_belongs_to_the_shell(session):
    message = session.client.session.msg("execute_request", {"code": "1"})
    session.client.control_channel.send(message)
    reply = session.client.get_control_msg(timeout=5)
    assert reply["msg_type"] == "execute_reply" and reply["content"]["status"] == "error"


def test_queued_cells_are_aborted_after_an_error(session):
    first = session.send("import time\ntime.sleep(0.2)\n1 / 0")
    rest = [session.send(f"ran{i} = 1") for i in range(3)]
    assert session.reply(first)["content"]["status"] == "error"
    for request in rest:
        assert session.reply(request)["content"]["status"] == "aborted"
        states = [m["content"]["execution_state"] for m in session.collect(request)]
        assert states == ["busy", "idle"]
    assert session.run("'ran0' in globals()").value == "False"


def test_an_entry_after_an_error_runs_at_once(session):
    for _ in range(20):
        assert session.run("1 / 0").status == "error"
        assert session.run("1").status == "ok"


def test_cells_go_on_where_errors_are_allowed(session):
    first = session.send("1 / 0", stop_on_error=False)
    second = session.send("2")
    assert session.finish(first).status == "error"
    assert session.finish(second).value == "2"


def test_leaving_asks_the_front_to_leave(session):
    result = session.run("exit()")
    assert result.status == "ok" and result.content["payload"][0]["source"] == "ask_exit"
    assert session.run("import sys\nsys.exit(3)").of("error")[0]["ename"] == "SystemExit"
    assert session.run("1").value == "1"


def test_broken_text_arrives_repaired(session):
    result = session.run("print(b'\\xc3\\xa4'.decode('utf-8'), 'ok')")
    assert result.text() == "ä ok\n"


def test_values_with_surrogates_do_not_end_the_kernel(session):
    session.run("'\\ud800'")
    assert session.run("1").value == "1"
