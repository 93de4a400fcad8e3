"""Every example in the package and in its pages runs and prints what it says."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil

import pytest
import srgw

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["srgw", *(f"srgw.{m.name}" for m in pkgutil.iter_modules(srgw.__path__))]
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.mark.parametrize("name", [name for name in MODULES if name != "srgw._srgw"])
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
    places = [srgw, srgw.metrics, srgw.generate]
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
