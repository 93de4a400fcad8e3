"""The pooling layer."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from ._loss import srgw_loss


class SRGWPooling(nn.Module):
    """Distances of graphs to learned templates: a pooling layer for graph neural networks.

    The constructor, the parameters and the call are those of ``ot.gnn.TFGWPooling``, which loops
    over graphs and templates; this layer solves all of them in one parallel call. By default the
    weights of template nodes are free (semi-relaxed); with ``balanced`` they are parameters, as in
    POT.

    Parameters
    ----------
    n_features : int
        Number of node features.
    n_tplt : int
        Number of templates.
    n_tplt_nodes : int
        Number of nodes of each template.
    alpha : float, optional
        Weight of the structure; None learns it.
    train_node_weights : bool
        Only with ``balanced``: whether to learn the weights of template nodes.
    multi_alpha : bool
        Whether each template has an ``alpha`` of its own.
    feature_init_mean, feature_init_std : float
        Of the normal distribution that features of templates are drawn from.
    balanced : bool
        Whether templates have weights (fused Gromov-Wasserstein).
    **options
        Of :func:`srgw_loss`: ``epsilon``, ``start``, ``n_init``, ``max_iter``, ``tol``, ``n_jobs``,
        ``loss_fun``, ``random_state``.

    Examples
    --------
    >>> import torch
    >>> from srgw.torch import SRGWPooling
    >>> layer = SRGWPooling(n_features=3, n_tplt=4, n_tplt_nodes=5)
    >>> edge_index = torch.tensor([[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]])
    >>> batch = torch.tensor([0, 0, 0, 1, 1])
    >>> layer(torch.randn(5, 3), edge_index, batch).shape
    torch.Size([2, 4])
    """

    alpha0: Tensor
    q0: Tensor

    def __init__(
        self,
        n_features: int,
        n_tplt: int = 2,
        n_tplt_nodes: int = 2,
        alpha: float | None = None,
        train_node_weights: bool = True,
        multi_alpha: bool = False,
        feature_init_mean: float = 0.0,
        feature_init_std: float = 1.0,
        *,
        balanced: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.n_features = n_features
        self.n_tplt, self.n_tplt_nodes = n_tplt, n_tplt_nodes
        self.multi_alpha, self.balanced = multi_alpha, balanced
        self.feature_init_mean, self.feature_init_std = feature_init_mean, feature_init_std
        self.options = options
        structures = torch.rand(n_tplt, n_tplt_nodes, n_tplt_nodes)
        features = torch.empty(n_tplt, n_tplt_nodes, n_features)
        nn.init.normal_(features, mean=feature_init_mean, std=feature_init_std)
        self.tplt_adjacencies = nn.Parameter(0.5 * (structures + structures.transpose(1, 2)))
        self.tplt_features = nn.Parameter(features)
        if balanced:
            self._hold("q0", torch.zeros(n_tplt, n_tplt_nodes), train_node_weights)
        count = n_tplt if multi_alpha else 1
        if alpha is None:
            self._hold("alpha0", torch.zeros(count), True)
        else:
            self._hold("alpha0", torch.logit(torch.full((count,), float(alpha))), False)

    def _hold(self, name: str, value: Tensor, trained: bool) -> None:
        if trained:
            self.register_parameter(name, nn.Parameter(value))
        else:
            self.register_buffer(name, value, persistent=False)

    def forward(
        self,
        x: Tensor,
        edge_index: Tensor,
        batch: Tensor | None = None,
        edge_weight: Tensor | None = None,
        batch_size: int | None = None,
    ) -> Tensor:
        """Distances of each graph to each template, (graphs, templates); (templates,) of one graph.

        Parameters
        ----------
        x : tensor, shape (nodes, n_features)
        edge_index : tensor, shape (2, edges)
        batch : tensor, shape (nodes,), optional
            The graph of each node; without it there is one graph.
        edge_weight : tensor, shape (edges,), optional
        batch_size : int, optional
            Number of graphs.
        """
        loss: Tensor = srgw_loss(
            edge_index,
            self.tplt_adjacencies,
            q=torch.softmax(self.q0, dim=1) if self.balanced else None,
            x=x,
            y=self.tplt_features,
            alpha=torch.sigmoid(self.alpha0),
            edge_weight=edge_weight,
            batch=batch,
            batch_size=batch_size,
            **self.options,
        )
        return loss

    def extra_repr(self) -> str:
        """For print."""
        return (
            f"n_features={self.n_features}, n_tplt={self.n_tplt}, "
            f"n_tplt_nodes={self.n_tplt_nodes}, balanced={self.balanced}"
        )
