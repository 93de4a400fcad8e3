"""Texts of the program about itself: help, version, completions, manual, docs/cli.md."""

import re
import shutil
import subprocess
import sys

import pytest
from program import PROGRAM, ROOT, run

sys.path.insert(0, str(ROOT / "scripts"))
import cli_docs  # noqa: E402

COMMANDS = """solve partition coarsen blockmodel barycenter learn embed cluster complete
distances draw score info check convert generate estimate completions""".split()


def test_help_lists_the_commands() -> None:
    assert cli_docs.commands(str(PROGRAM)) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    answer = run(command, "--help")
    assert f"Example: srgw {command}" in answer.stdout
    assert answer.stderr == ""


@pytest.mark.parametrize("command", ["solve", "partition", "learn"])
def test_help_has_the_tolerances_of_both_methods(command: str) -> None:
    tolerance = {o.name: o for o in cli_docs.options(str(PROGRAM), command)}["--tolerance"]
    assert tolerance.text.endswith("Default: 1e-05, with --epsilon 1e-09")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_and_says_where_the_rest_is(command: str) -> None:
    text, full = (run(command, flag).stdout for flag in ("--help", "--help-all"))
    known = {option.name for option in cli_docs.options(str(PROGRAM), command)}
    shown = [option.name for option in cli_docs.parse_options(text)]
    assert set(shown) <= known and 1 <= len(shown) <= 16
    if len(shown) < len(known):
        assert text.endswith(f"`srgw {command} --help-all` lists all {len(known)} options.\n")
    assert max(map(len, (text + full).splitlines())) <= 100


def test_estimate_has_a_short_help() -> None:
    for command in ("solve", "partition"):
        assert f"`srgw estimate {command} --help-all`" in run("estimate", command, "--help").stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_options_is_one_sentence(command: str) -> None:
    for option in cli_docs.options(str(PROGRAM), command):
        assert option.text and option.text[0] != " ", option.name
        assert len(option.text) <= 320, (option.name, len(option.text))
        assert not re.match(r"(What|Of|Whoever)\b", option.text), option.text


def test_version() -> None:
    name, version = run("--version").stdout.split()
    assert name == "srgw" and version[0].isdigit()
    assert f"VERSION {version} " in (ROOT / "CMakeLists.txt").read_text()


def test_docs_have_the_help_texts() -> None:
    document = (ROOT / "docs" / "cli.md").read_text()
    assert document == cli_docs.with_texts(document, cli_docs.texts(str(PROGRAM))), "run make docs"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completions_are_sound(shell: str) -> None:
    script = run("completions", shell).stdout
    assert all(command in script for command in COMMANDS)
    assert "--structure" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, check=True, text=True)


def test_bash_completes_commands_options_and_words() -> None:
    script = run("completions", "bash").stdout
    for line, expected in (
        ("srgw part", "partition"),
        ("srgw solve --max-m", "--max-memory"),
        ("srgw solve --progress al", "always"),
    ):
        words = line.split()
        call = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _srgw; echo ${{COMPREPLY[@]}}"
        answer = subprocess.run(
            ["bash"], input=f"{script}\n{call}\n", check=True, capture_output=True, text=True
        )
        assert answer.stdout.strip() == expected


def test_manual_has_every_command() -> None:
    manual = run("manual").stdout
    assert manual.startswith(".TH SRGW 1")
    assert all(f".SS {command}\n" in manual for command in COMMANDS)
    if shutil.which("man"):
        command = ["man", "--warnings", "-l", "-"]
        answer = subprocess.run(command, input=manual, check=True, capture_output=True, text=True)
        assert answer.stderr == ""


def test_no_color_without_a_terminal() -> None:
    assert "\033" not in run("nonsense", expect=2).stderr
