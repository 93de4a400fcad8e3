#!/usr/bin/env python3
"""Writes the help texts of the program into docs/cli.md, between two marks.

Usage: scripts/cli_docs.py PROGRAM DOCUMENT
"""

import dataclasses
import pathlib
import re
import subprocess
import sys

BEGIN = "<!-- help: begin -->"
END = "<!-- help: end -->"


def help_text(program: str, *command: str) -> str:
    answer = subprocess.run(
        [program, *command, "--help-all"], check=True, capture_output=True, text=True
    )
    # Help texts name the program by the path that it was started by.
    text = answer.stdout.replace(program, "srgw")
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@dataclasses.dataclass
class Option:
    name: str  # the long one
    type: str  # empty: a flag
    text: str

    @property
    def default(self) -> str | None:
        """The value that is the default; None: none is shown, or it is a sentence."""
        found = re.search(r"\. Default: (\S+)$", self.text)
        return found[1] if found else None


def parse_options(text: str) -> list[Option]:
    """The options of a help text; lines of their descriptions are joined."""
    found = []
    for line in text.splitlines():
        if match := re.match(r"  (?:-\w, )?(--[\w-]+)(?: (\S.*?))?(?:  +(.*)|$)", line):
            name, kind, rest = match.groups(default="")
            if " " in kind and not kind.endswith("..."):  # the name fills the first column
                kind, _, rest = kind.partition(" ")
            found.append(Option(name, kind, rest))
        elif found and line.startswith(" " * 34):
            found[-1].text = f"{found[-1].text} {line.strip()}".strip()
    return found


def options(program: str, *command: str) -> list[Option]:
    return parse_options(help_text(program, *command))


def commands(program: str) -> list[str]:
    listed = help_text(program).partition("Commands:")[2]
    return re.findall(r"^  ([a-z]+) ", listed, flags=re.MULTILINE)


def texts(program: str) -> str:
    blocks = [f"```\n{help_text(program)}\n```"]
    for command in commands(program):
        blocks.append(f"### {command}\n\n```\n{help_text(program, command)}\n```")
    return "\n\n".join(blocks)


def with_texts(document: str, text: str) -> str:
    before, mark, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise SystemExit(f"expected the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{after}"


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[2])
    path.write_text(with_texts(path.read_text(), texts(sys.argv[1])))
