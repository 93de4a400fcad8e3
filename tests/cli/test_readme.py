"""Every command and claim of the README that can be run here gives what it shows."""

import doctest
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from program import PROGRAM, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        check=True,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        timeout=120,
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with the files that the README names."""
    shutil.copytree(ROOT / "examples" / "data", tmp_path / "examples" / "data")
    return tmp_path


def test_shell_examples_print_what_is_shown(clone: Path) -> None:
    commands = 0
    for block in blocks("console"):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = example.partition("\n")
            answer = shell(command, clone)
            checker = doctest.OutputChecker()
            assert checker.check_output(shown, answer.stdout, doctest.ELLIPSIS), answer.stdout
            assert answer.stderr == ""
            commands += 1
    assert commands == 2


def test_python_examples(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clone)
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert result.attempted >= 9 and result.failed == 0


def test_cpp_example_is_the_one_that_is_built() -> None:
    (shown,) = blocks("cpp")
    name = "find_communities"
    assert (ROOT / "examples" / f"{name}.cpp").read_text().endswith(shown)
    program = PROGRAM.parents[1] / "examples" / name
    answer = shell(f"{program} examples/data/karate.txt", ROOT).stdout
    promised = re.findall(r"prints `(.+)` and `(.+)`", README)
    assert answer.splitlines() == list(*promised)


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"`?make ([a-z-]+)", README))
    rules = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets and targets <= rules


def test_commands_of_the_table_exist() -> None:
    (table,) = re.findall(r"\| To \| Command \| Page \|\n.*?\n\n", README, re.DOTALL)
    commands = re.findall(r"`(?:srgw )?([a-z]+)`", table)
    assert len(commands) > 10
    for command in commands:
        shell(f"srgw {command} --help", ROOT)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "HACKING.md"])
def test_links_lead_to_files(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)", text):
        assert link.startswith("https://") or (ROOT / link).exists(), link


def test_figures_are_those_of_the_benchmarks() -> None:
    """Ratios in the README are rows of docs/benchmarks.md, which `make bench-peers` writes."""
    table = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| compute srGW on sparse.*$", README, re.MULTILINE)
    ratios = re.findall(r"[\d.]+x", row)
    assert len(ratios) == 4
    for ratio in ratios:
        assert f"| {ratio} |" in table, ratio


def test_citation_names_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (version,) = re.findall(r"^version: (.+)$", citation, re.MULTILINE)
    assert f"VERSION {version} " in (ROOT / "CMakeLists.txt").read_text()


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="needs mpirun")
def test_partition_runs_under_mpirun(clone: Path) -> None:
    answer = shell(
        "mpirun --allow-run-as-root --oversubscribe -np 2 srgw partition examples/data/karate.txt",
        clone,
    )
    assert answer.stdout.startswith("clusters")
