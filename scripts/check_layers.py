#!/usr/bin/env python3
"""Who may include whom: a file may include lower layers, never its own or a higher one.

A source belongs to the layer of its header, so it may also include that header and the private
headers of its own subject. Prints `file:line: message` for each breach and exits 1.
"""

import pathlib
import re
import sys

# Public headers by stem, and the private files of src/ by stem or folder. Lowest first.
LAYERS = [
    ["types", "overloaded", "exact_sum", "hashing", "whole_numbers", "parse_double", "span_of"],
    ["message", "random", "fixed_point", "union_find", "buffer", "id_set"],
    ["fields", "run", "ranks", "version"],
    ["stop"],
    ["parallel", "masses", "zeros", "sampling", "simplex_quadratic"],
    ["row_blocks"],
    ["graph", "parcel", "mpi", "lone"],
    ["exchange"],
    ["plan", "kmeans"],
    ["structure"],
    ["transform", "generate", "metrics", "problem", "closed_form"],
    ["io"],
    ["kernels", "draw"],
    ["transport"],
    ["search"],
    ["solve"],
    ["barycenter", "partition", "samples"],
    ["dictionary"],
    ["baselines", "blocks", "clustering"],
    ["completion"],
    ["report"],
]
LEVEL = {subject: level for level, subjects in enumerate(LAYERS) for subject in subjects}
# Folders of src/ that have the layer of a public header of another name.
FOLDERS = {
    "communities": "partition",
    "starts": "solve",
    "transforms": "transform",
}
# Folders of src/ whose files may have a layer of their own, by stem.
MIXED = {"base", "baselines", "dictionary", "graph", "ranks", "solve", "structure"}
# Files of a subject that has another name.
PART_OF = {
    "batch": "solve",
    "components": "graph",
    "convert": "io",
    "csr": "graph",
    "dataset": "graph",
    "names": "graph",
}
UMBRELLA = "srgw"
FRONTS = ["examples", "cli", "python"]  # public headers and their own only

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def stem_subject(stem):
    """The longest name in LAYERS that starts the stem: csr_rows belongs to csr."""
    name = PART_OF.get(stem, stem)
    while name not in LEVEL and "_" in name:
        name = name.rpartition("_")[0]
    return name


def subject(path):
    """The name in LAYERS of a file: its stem, or its innermost folder below src/ that has one."""
    if path.parts[0] != "src":
        return stem_subject(path.stem)
    folders = path.parts[1:-1]
    if len(folders) == 1 and folders[0] in MIXED and stem_subject(path.stem) in LEVEL:
        return stem_subject(path.stem)
    for folder in reversed(folders):
        name = FOLDERS.get(folder, folder)
        if name in LEVEL:
            return name
    return path.stem


def resolve(path, name):
    """The file of this tree that `name` means when included from `path`, or None."""
    for base in (path.parent, *map(pathlib.Path, ("src", "include", "."))):
        if (ROOT / base / name).is_file():
            return (ROOT / base / name).resolve().relative_to(ROOT)
    return None


def complaint(path, included):
    """The reason why `path` may not include `included`, or None."""
    public = included.parts[0] == "include"
    if path.parts[0] in FRONTS:
        own = included.parts[0] == path.parts[0]
        return None if public or own else f"{path.parts[0]} may include public headers only"
    if path.parts[0] == "include" and not public:
        return "a public header includes a private one"
    mine, other = subject(path), subject(included)
    if mine == UMBRELLA:
        return None
    if other == UMBRELLA:
        return "the umbrella header is for users"
    for name in (mine, other):
        if name not in LEVEL:
            return f"'{name}' has no layer; add it to scripts/check_layers.py"
    if mine == other or LEVEL[other] < LEVEL[mine]:
        return None
    return f"layer {LEVEL[mine]} ({mine}) may not include layer {LEVEL[other]} ({other})"


def main():
    breaches = 0
    for folder in ["include", "src", *FRONTS]:
        for file in sorted((ROOT / folder).rglob("*.[ch]pp")):
            path = file.relative_to(ROOT)
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                included = match and resolve(path, match.group(1))
                problem = included and complaint(path, included)
                if problem:
                    print(f"{path}:{number}: {match.group(1)}: {problem}")
                    breaches += 1
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
