#!/usr/bin/env python3
"""Sentences that readers stumble over: prints `file:line: sentence  (hint)` for each, as warnings.

    scripts/check_words.py [--count] [file]...

Reads prose only: Markdown outside of code, comments, docstrings and strings of C++, Python,
TypeScript and shell files. Default: all files that git knows. Exits 0: the list is advice.
"""

import ast
import io
import pathlib
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A pattern for a sentence, and what to write instead.
PATTERNS = [
    (r"^Of\b[^?]*$", "name the subject first, not 'Of ...'"),
    (r"^What\b[^?]*$", "say what it is, not 'What ...'"),
    (r"^Whoever\b[^?]*$", "say who"),
    (r"^The same(?! (?:as|bits|results?|values?|seed|file|plan|labels|holds)\b)[^?]*$",
     "name what is the same"),
    (r"\brivals?\b", "baseline, or the name of the tool"),
    (r"\bwords? (?:for|of) (?:an? |the )?(?:option|value)", "value, or the name of the option"),
    (r"\btold by\b", "default: from ..., or chosen by"),
    (r"\bwith nothing said\b", "by default"),
    (r"\bin vain\b", "without improvement"),
    (r"\bfree of choice\b", "not given"),
    (r"\b(?:is|are) of --", "requires --option"),
    (r"^Say (?:more|nothing)\b", "verbose output, or only results"),
    (r"\bby (?:its|their|the) ending\b", "from the file extension"),
    (r"\bending of (?:the|a|its) file", "file extension"),
    (r"\btried besides\b", "extra"),
    (r"\bcrumbs?\b|\bmood\b", "no metaphors"),
    (r"\bthe other words\b", "all options or targets"),
    (r"\b(?:met|missed|asked for)\b(?= ?[|:])", "results, not targets"),
]  # fmt: skip
RULES = [(re.compile(pattern), hint) for pattern, hint in PATTERNS]
# This list, texts of others, and files written by benchmarks.
SKIPPED = (
    "scripts/check_words.py", "CODE_OF_CONDUCT.md", "LICENSE", "tests/data/", "docs/results/"
)  # fmt: skip
SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`])")


def prose_of_markdown(text):
    """Paragraphs outside of code, with the line at which each starts."""
    fenced, start, lines = False, 0, []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            line = ""
        new = fenced or not line.strip() or re.match(r"\s*([-*|#>+]|\d+\.)\s?", line)
        if new and lines:
            yield start, " ".join(lines)
            lines = []
        if not fenced and line.strip():
            if not lines:
                start = number
            lines.append(re.sub(r"^\s*([-*|#>+]|\d+\.)\s*", "", line).strip())


def joined(comments):
    """Comments in lines that follow each other are one paragraph. `comments`: (line, text)."""
    start, last, texts = 0, -1, []
    for line, text in comments:
        if texts and (line != last + 1 or not text):
            yield start, " ".join(texts)
            texts = []
        if text:
            if not texts:
                start = line
            texts.append(text)
            last = line
    if texts:
        yield start, " ".join(texts)


def prose_of_cpp(text):
    """Comments and string literals."""
    token = re.compile(
        r'//[/!]*<?(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|"(?P<text>(?:\\.|[^"\\\n])*)"', re.S
    )
    comments, strings = [], []
    for match in token.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["line"] is not None:
            comments.append((line, match["line"].strip()))
        elif match["block"] is not None:
            comments += [
                (line + i, part.strip(" *")) for i, part in enumerate(match["block"].split("\n"))
            ]
        elif " " in match["text"]:
            strings.append((line, match["text"].strip()))
    yield from joined(comments)
    yield from joined(strings)


def prose_of_python(text):
    """Comments, docstrings and other strings that have a blank."""
    comments, strings = [], []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string.lstrip("# ")))
        elif token.type == tokenize.STRING:
            try:
                value = ast.literal_eval(token.string)
            except (SyntaxError, ValueError):
                continue  # an f-string
            if isinstance(value, str) and " " in value:
                strings += [
                    (token.start[0] + i, part.strip()) for i, part in enumerate(value.split("\n"))
                ]
    yield from joined(comments)
    yield from joined(strings)


def prose_of_shell(text):
    yield from joined([(i, line.strip().lstrip("# ")) for i, line in enumerate(text.split("\n"), 1)
                       if line.lstrip().startswith("#")])  # fmt: skip


READERS = {
    ".md": prose_of_markdown, ".rst": prose_of_markdown, ".py": prose_of_python,
    ".cpp": prose_of_cpp, ".hpp": prose_of_cpp, ".ts": prose_of_cpp,
    ".sh": prose_of_shell, ".cmake": prose_of_shell, ".txt": prose_of_shell, "": prose_of_shell,
}  # fmt: skip


def warnings_of(path):
    reader = READERS.get(path.suffix)
    if reader is None or (path.suffix == ".txt" and path.name != "CMakeLists.txt"):
        return
    for line, paragraph in reader(path.read_text(encoding="utf-8", errors="replace")):
        for sentence in SENTENCE.split(paragraph):
            for rule, hint in RULES:
                if rule.search(sentence):
                    yield f"{path.relative_to(ROOT)}:{line}: {sentence[:100]}  ({hint})"


def main(arguments):
    files = [pathlib.Path(name).resolve() for name in arguments if name != "--count"]
    if not files:
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        files = [
            ROOT / name
            for name in listed.stdout.split("\n")
            if name and not name.startswith(SKIPPED)
        ]
    found = [warning for path in files if path.is_file() for warning in warnings_of(path)]
    if "--count" not in arguments:
        print("\n".join(found))
    print(f"{len(found)} sentences to rewrite" if found else "words: clean")


if __name__ == "__main__":
    main(sys.argv[1:])
