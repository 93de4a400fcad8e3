"""Semi-relaxed Gromov-Wasserstein losses and a pooling layer for PyTorch.

Values are computed in double precision on the CPU, in parallel over graphs; tensors of another
dtype or device are converted, and results converted back.
"""

try:
    import torch as _torch  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError("srgw.torch needs PyTorch: pip install torch") from error

from ._loss import srgw_loss
from ._pooling import SRGWPooling

__all__ = ["SRGWPooling", "srgw_loss"]
