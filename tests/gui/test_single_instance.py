"""One window per profile: a second one rings at the first."""

from pathlib import Path

from PySide6.QtNetwork import QLocalServer

from app.gui.single_instance import SingleInstance, channel, hand_over


def test_a_second_window_rings_at_the_first_of_its_profile(qtbot, tmp_path):
    bell = SingleInstance()
    name = channel(tmp_path, "personal")
    bell.listen(name)
    with qtbot.waitSignal(bell.rung):
        assert hand_over(name)
    assert not hand_over(channel(tmp_path, "work"))
    assert not hand_over(channel(tmp_path / "other", "personal"))
    bell.listen(channel(tmp_path, "work"))
    assert not hand_over(name)
    bell.close()


def test_the_socket_of_a_process_that_died_is_taken_over(qtbot, tmp_path):
    name = channel(tmp_path, "personal")
    dead = QLocalServer()
    assert dead.listen(name)
    path = dead.fullServerName()
    dead.close()
    Path(path).touch()  # what a crash leaves behind
    bell = SingleInstance()
    bell.listen(name)
    with qtbot.waitSignal(bell.rung):
        assert hand_over(name)
    bell.close()


def test_a_second_window_brings_the_first_forward(qtbot, start, welcomed, paths):
    application, _ = start()
    application.window.hide()
    assert hand_over(channel(paths.root, "personal"))
    qtbot.waitUntil(application.window.isVisible)
