"""packaging/setup.sh on machines that lack something, played by commands that stand in."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = (
    "bash",
    "cat",
    "cksum",
    "dirname",
    "env",
    "grep",
    "mkdir",
    "rm",
    "sed",
    "sudo",
    "tr",
    "uname",
)


class Machine:
    """A folder with a copy of the set-up, and a PATH that holds what a test puts there."""

    def __init__(self, folder):
        self.folder, self.bin = folder, folder / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            if found := shutil.which(tool):
                (self.bin / tool).symlink_to(found)
        (folder / "packaging").mkdir()
        shutil.copy(ROOT / "packaging/setup.sh", folder / "packaging")
        for name in ("pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, folder)
        self.has("c++")
        self.has("python3", self.makes_venv())

    def has(self, name, script="exit 0", folder=None):
        path = (folder or self.bin) / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!{self.bin}/bash\n{script}\n")
        path.chmod(0o755)

    def lacks(self, name):
        (self.bin / name).unlink()

    def makes_venv(self, pip="exit 0"):
        """Return a Python whose environments have a pip that runs this script."""
        note = f'echo "$* cache=$PIP_CACHE_DIR" >>{self.folder}/calls'
        inner = f"#!{self.bin}/bash\\n{note}\\ncase $* in *install*) {pip};; esac"
        return (
            'case $* in *"-m venv"*) mkdir -p .venv/bin; '
            f"printf '{inner}\\n' >.venv/bin/python; /bin/chmod 755 .venv/bin/python;; "
            "--version) echo Python 3.12.1;; esac"
        )

    def is_debian(self, user, apt="exit 0", libraries=""):
        self.has("id", f"echo {user}")
        self.has("apt-get", f'echo "$*" >>{self.folder}/apt; {apt}')
        self.has("ldconfig", f"echo '{libraries}'")

    def set_up(self, purpose="run"):
        done = subprocess.run(
            [self.bin / "bash", "packaging/setup.sh", purpose],
            cwd=self.folder,
            env={"PATH": str(self.bin), "HOME": os.devnull},
            capture_output=True,
            text=True,
        )
        assert done.stdout == ""
        return done.returncode, done.stderr.splitlines()

    def apt_calls(self):
        calls = self.folder / "apt"
        return calls.read_text().splitlines() if calls.exists() else []


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_a_person_without_rights_gets_one_line_to_paste_and_goes_on(machine):
    machine.is_debian(user=1000)
    code, said = machine.set_up()
    assert code == 0
    pastes = [line for line in said if "apt-get" in line]
    assert len(pastes) == 1
    assert "please run: sudo apt-get install -y " in pastes[0]
    assert "libxcb-cursor0" in pastes[0]
    assert "xvfb" not in pastes[0]
    assert machine.apt_calls() == []
    assert said[-1] == "loci: set up"


def test_root_installs_what_is_missing_without_asking(machine):
    machine.is_debian(user=0)
    code, said = machine.set_up("test")
    assert code == 0
    assert not any("please run" in line for line in said)
    update, install = machine.apt_calls()
    assert update.endswith("update")
    assert "libegl1" in install
    assert "xvfb" in install


def test_where_installing_fails_the_line_to_paste_comes_and_nothing_is_tried_again(machine):
    machine.is_debian(user=0, apt="exit 1")
    code, said = machine.set_up()
    assert code == 0
    assert any("going on without them" in line for line in said)
    assert sum("please run" in line for line in said) == 1
    tried = len(machine.apt_calls())
    code, said = machine.set_up()
    assert code == 0
    assert len(machine.apt_calls()) == tried
    assert ["please run" in line for line in said] == [True]


def test_other_systems_are_asked_for_no_debian_packages(machine):
    code, said = machine.set_up("test")
    assert code == 0
    assert not any("apt" in line for line in said)


def test_the_second_time_nothing_is_done_or_said(machine):
    machine.set_up()
    calls = (machine.folder / "calls").read_text().count("install")
    assert machine.set_up() == (0, [])
    assert (machine.folder / "calls").read_text().count("install") == calls
    machine.set_up("test")
    assert (machine.folder / "calls").read_text().count("install") == calls + 1
    assert machine.set_up("run") == (0, [])


def test_new_pins_are_installed(machine):
    machine.set_up()
    with (machine.folder / "constraints.txt").open("a") as file:
        file.write("another==1.0\n")
    assert machine.set_up() != (0, [])


def test_what_was_compiled_for_another_processor_is_compiled_again(machine):
    machine.has("uname", "echo first")
    machine.set_up()
    machine.has("uname", "echo second")
    code, said = machine.set_up()
    assert code == 0
    assert any("llama.cpp is compiled" in line for line in said)
    calls = (machine.folder / "calls").read_text().splitlines()
    assert sum("uninstall" in call and "llama-cpp-python" in call for call in calls) == 2
    caches = [call.split("cache=")[1] for call in calls if " install" in call]
    assert len(set(caches)) == len(caches) == 2
    assert machine.set_up() == (0, [])


def test_no_python_that_is_new_enough(machine):
    machine.has("python3", "exit 1")
    code, said = machine.set_up()
    assert code == 1
    assert said == ["loci: Loci needs Python 3.11 or newer, with its venv module."]


def test_no_compiler(machine):
    machine.has("python3", machine.makes_venv(pip="exit 1"))
    machine.lacks("c++")
    code, said = machine.set_up()
    assert code == 1
    assert "loci: llama.cpp needs a C++ compiler, and there is none here" in said
    assert said[-1] == "loci: The packages could not be installed; build/setup.log says why."
