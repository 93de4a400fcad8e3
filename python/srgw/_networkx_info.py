"""Facts about this backend that NetworkX reads when it is imported; imports nothing itself."""

from __future__ import annotations

from typing import Any

_RESULT = "The search of srgw.SRGWPartition for the best modularity. Undirected graphs only."
_PARAMETERS = {
    "effort : {'quick', 'normal', 'thorough'}": "How much the search does.",
    "n_jobs : int, optional": "Threads; all cores by default. The result does not depend on it.",
}
FUNCTIONS = ("greedy_modularity_communities", "leiden_communities", "louvain_communities")


def get_info() -> dict[str, Any]:
    """For the entry point ``networkx.backend_info``."""
    return {
        "backend_name": "srgw",
        "project": "srgw",
        "package": "srgw",
        "short_summary": "Communities by multilevel search of semi-relaxed Gromov-Wasserstein.",
        "functions": {
            name: {"additional_docs": _RESULT, "additional_parameters": dict(_PARAMETERS)}
            for name in FUNCTIONS
        },
    }
