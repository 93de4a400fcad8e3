"""Pages link to files of the repository that are not pages: such links show the path instead."""

import os
import pathlib
from typing import Any

from docutils import nodes
from sphinx.transforms import SphinxTransform

ROOT = pathlib.Path(os.environ["SRGW_ROOT"])


class FileLinks(SphinxTransform):
    """Replaces links to files outside docs/ by their path in the repository."""

    default_priority = 5

    def apply(self, **_: Any) -> None:
        for link in list(self.document.findall(nodes.reference)) + list(
            self.document.findall(lambda n: n.__class__.__name__ == "pending_xref")
        ):
            target = link.get("refuri") or link.get("reftarget") or ""
            if not target.startswith("../"):
                continue
            path = (pathlib.Path(self.env.doc2path(self.env.docname)).parent / target).resolve()
            path = path.relative_to(pathlib.Path(self.env.srcdir).parent)
            if (ROOT / path).exists():
                link.replace_self(nodes.literal("", str(path)))


def setup(app: Any) -> dict[str, bool]:
    app.add_transform(FileLinks)
    return {"parallel_read_safe": True}
