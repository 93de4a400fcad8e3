"""Classifies graphs with node labels: a dictionary, a kernel, and what scikit-learn makes of them.

python examples/classify_graphs.py [a TUDataset folder]
"""

from __future__ import annotations

import sys

import srgw
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC


def compare(dataset: srgw.Dataset) -> dict[str, float]:
    """Accuracy of two pipelines in 5 folds."""
    dictionary = srgw.SRGWDictionary(6, coordinates=["sqrt", "value", "log-size"])
    pipelines = {
        "dictionary": make_pipeline(dictionary, StandardScaler(), SVC(C=10)),
        "kernel": make_pipeline(srgw.GraphKernel(), SVC(C=10, kernel="precomputed")),
    }
    return {
        name: float(cross_val_score(pipeline, dataset, dataset.labels, cv=5).mean())
        for name, pipeline in pipelines.items()
    }


def main() -> None:
    dataset = srgw.read_dataset(sys.argv[1]) if len(sys.argv) > 1 else srgw.datasets.molecules(50)
    print(f"{dataset.name}: {len(dataset)} graphs")
    for name, accuracy in compare(dataset).items():
        print(f"{name}: accuracy {accuracy:.2f}")


if __name__ == "__main__":
    main()
