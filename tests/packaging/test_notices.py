"""What the bundle says of other people's work."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITER = ROOT / "packaging/pyinstaller/notices.py"


def test_every_package_that_runs_is_named_and_those_of_development_are_not(tmp_path):
    page = tmp_path / "notices.txt"
    subprocess.run([sys.executable, WRITER, page], cwd=tmp_path, check=True)
    text = page.read_text("utf-8")
    for name in ("PySide6_Essentials 6.", "sqlcipher3 ", "llama_cpp_python ", "httpx ", "h11 "):
        assert f"\n{name}" in text
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "Permission is hereby granted, free of charge" in text
    assert "\npytest " not in text
    assert "\nmypy " not in text
