"""Every example in the package and in its pages runs and prints what it says."""

import doctest
import importlib
import inspect
import pathlib
import pickle
import pkgutil
import re
import subprocess
import sys

import pytest
import srgw

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["srgw", *(f"srgw.{m.name}" for m in pkgutil.iter_modules(srgw.__path__))]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


# test_torch.py has those of srgw.torch; srgw._jax_values needs JAX.
@pytest.mark.parametrize(
    "name", [n for n in MODULES if n not in ("srgw._srgw", "srgw.torch", "srgw._jax_values")]
)
def test_examples_of_modules(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.parametrize("page", ["python.md", "coming-from-pot.md"])
def test_examples_of_pages(page: str) -> None:
    result = doctest.testfile(
        str(ROOT / "docs" / page), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert result.attempted > 0 and result.failed == 0


def test_every_public_function_has_an_example_and_types() -> None:
    places = [srgw, srgw.metrics, srgw.generate, srgw.datasets]
    for place in places:
        for name in place.__all__:
            item = getattr(place, name)
            if not inspect.isfunction(item):
                continue
            if name != "read_dataset":  # needs a folder
                assert ">>>" in (item.__doc__ or ""), name
            assert "return" in item.__annotations__, name


def test_the_package_says_that_it_is_typed() -> None:
    folder = pathlib.Path(srgw.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_srgw.pyi").read_text()
    for name in ("class Solution", "class Structure", "def solve_all"):
        assert name in stub


def test_stubs_have_the_signatures_of_the_functions() -> None:
    script = [sys.executable, ROOT / "scripts" / "python_stubs.py", "--check"]
    run = subprocess.run(script, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


TYPES = """
import numpy as np, srgw
C = np.eye(2)
reveal_type(srgw.semirelaxed_gromov_wasserstein(C, C))
reveal_type(srgw.semirelaxed_gromov_wasserstein(C, C, log=True))
reveal_type(srgw.gromov_wasserstein2(C, C))
reveal_type(srgw.fgw_barycenters(2, [C], [C], log=True))
reveal_type(srgw.SRGWPartition(2).fit(srgw.datasets.karate()).labels_)
reveal_type(srgw.datasets.families(3)[:2])
reveal_type(srgw.solve_gromov(C, C).plan)
"""


def test_type_checkers_see_what_functions_return(tmp_path: pathlib.Path) -> None:
    (tmp_path / "uses_types.py").write_text(TYPES)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    run = subprocess.run(
        [*command, str(tmp_path / "uses_types.py")],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    found = [line for line in run.stdout.splitlines() if "Revealed type is" in line]
    kinds = ("ndarray", "tuple[numpy.ndarray", "float", "tuple[numpy.ndarray", "ndarray")
    for line, kind in zip(found, (*kinds, "Dataset", "ndarray"), strict=True):
        assert kind in line, run.stdout + run.stderr


def test_docstrings_describe_every_parameter() -> None:
    for name in srgw.__all__:
        doc = inspect.getdoc(getattr(srgw, name)) or ""
        _, heading, rest = doc.partition("Parameters\n----------\n")
        if not heading:
            continue
        entries = re.findall(r"^([\w*]+(?:, [\w*]+)*)", rest.partition("\n\n")[0], re.MULTILINE)
        described = ", ".join(entries).replace("*", "").split(", ")
        assert described == list(inspect.signature(getattr(srgw, name)).parameters), name


@pytest.mark.parametrize("name", [name for name in srgw.__all__ if name.endswith("stein2")])
def test_functions_that_return_values_look_like_those_that_return_plans(name: str) -> None:
    value, plan = getattr(srgw, name), getattr(srgw, name.removesuffix("2"))
    assert value.__name__ == value.__qualname__ == name and value.__module__ == plan.__module__
    assert [(p.name, p.kind) for p in inspect.signature(value).parameters.values()] == [
        (p.name, p.kind) for p in inspect.signature(plan).parameters.values()
    ]
    if "partial" not in name:  # where POT has other defaults
        assert inspect.signature(value) == inspect.signature(plan)
    assert value.__doc__.startswith("Value of ") and plan.__doc__.lstrip().startswith("Plan of ")
    assert "value : float" in value.__doc__ and "T : array" not in value.__doc__
    assert "T : array" in plan.__doc__ and f"As of :func:`{plan.__name__}`" in value.__doc__
    assert pickle.loads(pickle.dumps(value)) is value


def test_public_names_of_the_package_are_those_of_its_modules() -> None:
    for module, names in srgw._NAMES.items():
        if module in srgw._MODULES:  # has names of its own besides
            assert set(names) <= set(importlib.import_module(f"srgw.{module}").__all__)
        elif module != "_srgw":
            assert sorted(names) == sorted(importlib.import_module(f"srgw.{module}").__all__)


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_example_programs(example: pathlib.Path) -> None:
    run = subprocess.run([sys.executable, example], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout, run.stderr
