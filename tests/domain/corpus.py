"""The shared corpus, found beside the repository; tests that need it skip where it is absent."""

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3] / "shared" / "corpus"


@dataclass(frozen=True)
class CorpusFile:
    """One row of the corpus index: where it is, and its path inside its source."""

    path: str

    @property
    def source(self):
        return self.path.partition("/")[0]

    @property
    def inner(self):
        return self.path.partition("/")[2]

    def read_bytes(self):
        return (ROOT / self.path).read_bytes()

    def text(self):
        return self.read_bytes().decode()


def require():
    if not (ROOT / "INDEX.tsv").exists():
        pytest.skip("the shared corpus is not beside this repository")


def sources():
    """Return the names of all sources for a parametrised test; one that skips where the corpus is absent."""
    return sorted({one.source for one in files()}) if (ROOT / "INDEX.tsv").exists() else ["absent"]


def files(source=None):
    """Return every indexed file, or those of one source, in the order of the index."""
    require()
    with (ROOT / "INDEX.tsv").open(encoding="utf-8", newline="") as index:
        rows = list(csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = [CorpusFile(row["path"]) for row in rows]
    assert found, "the corpus index is empty"
    return [one for one in found if source is None or one.source == source]


def text(path):
    require()
    return CorpusFile(path).text()
