import os
import subprocess
import sys

from PySide6.QtGui import QColor, QImage, QPainter

from app.bench.selftest import blank
from app.cli.main import run
from app.errors import AppError


def picture():
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(QColor("#FBFAF7"))
    return image


def test_a_picture_of_one_colour_or_a_few_is_blank():
    image = picture()
    assert blank(image)
    painter = QPainter(image)
    painter.fillRect(0, 0, 100, 200, QColor("#EEEEEE"))
    painter.end()
    assert blank(image)


def test_a_picture_with_writing_is_not_blank(qapp):
    image = picture()
    painter = QPainter(image)
    for line in range(10, 200, 14):
        painter.drawText(4, line, "Where do I live, and who is my sister?")
    painter.end()
    assert not blank(image)


def test_a_whole_installation_passes(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "app", "--selftest"],
        env={**os.environ, "TMPDIR": str(tmp_path), "LOCI_HOME": str(tmp_path / "untouched")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    steps = done.stdout.splitlines()
    assert steps[-1] == "selftest passed"
    for screen in ("first run", "chat", "memory", "models", "settings"):
        assert any(step.startswith(screen) for step in steps), screen
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_work_is_said_in_a_sentence(capsys):
    class Broken:
        def selftest(self, say):
            say("the vault opens")
            raise AppError("The memory was not embedded.")

    assert run(Broken(), ["--selftest"]) == 1
    printed = capsys.readouterr()
    assert printed.out == "the vault opens\n"
    assert printed.err == "The memory was not embedded.\n"
