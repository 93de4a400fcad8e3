"""Estimators in any order of calls: fit, partial_fit, transform, pickle, clone, set_params, misuse.

The results of an estimator depend on its parameters and on the graphs of its last fit only.
"""

import os
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse
import srgw
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sklearn.base import clone

SEEDS = st.integers(0, 3)
BAD_GRAPHS: list[Any] = [
    None,
    [],
    3,
    "no-such-folder",
    [np.zeros((2, 3))],
    [np.array([[0.0, np.nan], [np.nan, 0.0]])],
    [np.eye(3), "no-such-file.txt"],
    [object()],
]
BAD_NODES: list[Any] = [
    None,
    3,
    "no-such-file.txt",
    np.zeros((2, 3)),
    np.array([[0.0, np.nan], [np.nan, 0.0]]),
    np.zeros((1, 1)),
    object(),
]


def draw_graph(seed: int, nodes: int) -> np.ndarray:
    rng = np.random.default_rng([seed, nodes])
    matrix = np.triu(rng.random((nodes, nodes)) < 0.6, 1).astype(float)
    matrix[np.arange(nodes - 1), np.arange(1, nodes)] = 1
    return np.asarray(matrix + matrix.T)


def draw_graphs(seed: int, sparse: bool) -> list[Any]:
    graphs = [draw_graph(seed, nodes) for nodes in (4, 5, 6, 4, 7)]
    return [scipy.sparse.csr_array(g) for g in graphs] if sparse else graphs


def spoil(graphs: Any) -> None:
    """Changes what was given."""
    for graph in graphs if isinstance(graphs, list) else [graphs]:
        if scipy.sparse.issparse(graph):
            graph.indices[:] = 2**31 - 1
            graph.data[:] = np.nan
        else:
            graph[:] = np.nan


class Machine(RuleBasedStateMachine):
    """One estimator; subclasses say which, and what it is asked."""

    bad_inputs = BAD_GRAPHS
    choices: dict[str, list[Any]]

    def make(self) -> Any:
        raise NotImplementedError

    def inputs(self, seed: int, sparse: bool) -> Any:
        return draw_graphs(seed, sparse)

    def answer(self, model: Any) -> np.ndarray:
        """The result of a fitted model on fixed graphs."""
        return np.asarray(model.transform(draw_graphs(9, False)))

    @initialize()
    def begin(self) -> None:
        warnings.simplefilter("ignore")
        self.model = self.make()
        self.said: np.ndarray | None = None
        self.changed = False  # parameters since the last fit

    def teardown(self) -> None:
        self.model = None  # Hypothesis keeps machines until the interpreter ends

    def fresh_answer(self, seed: int, sparse: bool) -> np.ndarray:
        model = self.make().set_params(**self.model.get_params())
        return self.answer(model.fit(self.inputs(seed, sparse)))

    @rule(seed=SEEDS, sparse=st.booleans())
    def fit(self, seed: int, sparse: bool) -> None:
        given = self.inputs(seed, sparse)
        assert self.model.fit(given) is self.model
        spoil(given)
        self.said = self.answer(self.model)
        self.changed = False
        np.testing.assert_array_equal(self.said, self.fresh_answer(seed, sparse))

    @rule(data=st.data())
    def set_params(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.choices)))
        value = data.draw(st.sampled_from(self.choices[name]))
        assert self.model.set_params(**{name: value}) is self.model
        assert self.model.get_params()[name] == value
        self.changed = True

    @rule(number=st.integers(0, 20))
    def bad_input(self, number: int) -> None:
        with pytest.raises((ValueError, TypeError, OSError)):
            self.model.fit(self.bad_inputs[number % len(self.bad_inputs)])

    @rule()
    def bad_parameter(self) -> None:
        with pytest.raises(ValueError, match="Invalid parameter"):
            self.model.set_params(no_such_parameter=1)

    @rule(data=st.data(), seed=SEEDS)
    def bad_value(self, data: st.DataObject, seed: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.choices)))
        before = self.model.get_params()[name]
        with pytest.raises(ValueError, match="-5|0"):
            self.model.set_params(**{name: 0 if name == "n_jobs" else -5})
            self.model.fit(self.inputs(seed, False))
        self.model.set_params(**{name: before})

    @rule(seed=SEEDS)
    def raising_callback(self, seed: int) -> None:
        if "callback" in self.model.get_params():
            self.model.set_params(callback=lambda progress: 1 // 0)
            with pytest.raises(ZeroDivisionError):
                self.model.fit(self.inputs(seed, False))
            self.model.set_params(callback=None)

    @rule()
    def pickle(self) -> None:
        self.model = pickle.loads(pickle.dumps(self.model))

    @rule()
    def clone(self) -> None:
        copy = clone(self.model)
        assert repr(copy) == repr(self.model)
        with pytest.raises(srgw.NotFittedError):
            self.answer(copy)

    @precondition(lambda self: self.said is None)
    @rule()
    def not_fitted(self) -> None:
        with pytest.raises(srgw.NotFittedError):
            self.answer(self.model)

    @invariant()
    def the_answer_stays(self) -> None:
        if getattr(self, "said", None) is not None and not self.changed:
            np.testing.assert_array_equal(self.answer(self.model), self.said)


class PartitionMachine(Machine):
    bad_inputs = BAD_NODES
    choices = {"n_clusters": [2, 3, "auto"], "random_state": [0, 1], "n_jobs": [1, 2]}

    def make(self) -> Any:
        return srgw.SRGWPartition(2)

    def inputs(self, seed: int, sparse: bool) -> Any:
        graph = draw_graph(seed, 8)
        return scipy.sparse.csr_array(graph) if sparse else graph

    def answer(self, model: Any) -> np.ndarray:
        if not hasattr(model, "labels_"):
            return np.asarray(model.plan_)
        return np.column_stack([model.labels_, model.plan_.argmax(axis=1), model.predict(EDGES)])


EDGES = np.eye(8)


class DictionaryMachine(Machine):
    choices = {"n_nodes": [2, 3], "random_state": [0, 1], "n_jobs": [1, 2], "epsilon": [0.0, 0.1]}

    def make(self) -> Any:
        return srgw.SRGWDictionary(2, max_epochs=2)

    @rule(seed=SEEDS)
    def partial_fit(self, seed: int) -> None:
        if self.changed:  # a stream keeps its parameters
            return
        given = draw_graphs(seed, False)
        twin = pickle.loads(pickle.dumps(self.model))
        self.model.partial_fit(given)
        twin.partial_fit(draw_graphs(seed, False))
        spoil(given)
        self.said = self.answer(self.model)
        np.testing.assert_array_equal(self.answer(twin), self.said)


class GdlMachine(Machine):
    choices = {"n_atoms": [1, 2], "random_state": [0, 1], "n_jobs": [1, 2]}

    def make(self) -> Any:
        return srgw.GDL(2, 3, max_epochs=1)


class GwfMachine(GdlMachine):
    def make(self) -> Any:
        return srgw.GWF(2, 3, max_epochs=1)


class KMeansMachine(Machine):
    choices = {"n_clusters": [1, 2], "random_state": [0, 1], "n_jobs": [1, 2]}

    def make(self) -> Any:
        return srgw.GWKMeans(2, n_nodes=3, max_iter=2)

    def answer(self, model: Any) -> np.ndarray:
        return np.asarray(model.predict(draw_graphs(9, False)))


class ClustererMachine(Machine):
    choices = {"n_clusters": [1, 2], "random_state": [0, 1], "n_init": [1, 5]}

    def make(self) -> Any:
        return srgw.GraphClusterer(2, srgw.SRGWDictionary(2, max_epochs=1), n_init=3)

    def answer(self, model: Any) -> np.ndarray:
        return np.asarray(model.predict(draw_graphs(9, False)))


@pytest.mark.parametrize(
    "machine",
    [
        PartitionMachine,
        DictionaryMachine,
        GdlMachine,
        GwfMachine,
        KMeansMachine,
        ClustererMachine,
    ],
)
def test_calls_in_any_order(machine: type[Machine]) -> None:
    case = machine.TestCase
    case.settings = settings(
        max_examples=200 if os.environ.get("SRGW_TEST_FULL") else 15,
        stateful_step_count=8,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    case("runTest").runTest()
