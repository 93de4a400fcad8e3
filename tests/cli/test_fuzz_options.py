"""Random options, valid and invalid: scripts/fuzz_options.py says what counts as a finding."""

import sys

from program import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import fuzz_options


def test_random_options() -> None:
    findings = fuzz_options.fuzz(PROGRAM, runs=500, seed=3, workers=2)
    assert not findings, "\n".join(findings)
