"""The import contracts of pyproject.toml are kept, and each is seen to fail on a planted import."""

import contextlib
import importlib.util
import io
import shutil
import sys
from pathlib import Path

import pytest
from importlinter import api  # noqa: F401  (importing it configures the library)
from importlinter.application import use_cases

from tests.conventions.sources import ROOT, under

LAYERS = "Layers"
PURE = "The domain is pure Python"
SERVICES_ONLY = "Interfaces go through services"
S3 = "Only storage talks to S3"
SERVICES = "Services build on simpler services"
IDEAS = "Inside the domain, ideas build on simpler ideas"
CYCLES = "No cycles"

# contract, module in which the import is planted, what it imports
PLANTED = (
    (LAYERS, "services.people", "memoryadmin.tasks"),
    (LAYERS, "services.people", "memoryadmin.web.forms"),
    (LAYERS, "storage.folder", "memoryadmin.services.jobs"),
    (LAYERS, "storage.folder", "memoryadmin.models.jobs"),
    (LAYERS, "models.jobs", "memoryadmin.storage"),
    (LAYERS, "models.jobs", "memoryadmin.services.jobs"),
    (LAYERS, "domain.lines", "memoryadmin.models.jobs"),
    (LAYERS, "tasks", "memoryadmin.web.forms"),
    (LAYERS, "web.forms", "memoryadmin.management.bootstrap"),
    (LAYERS, "management.bootstrap", "memoryadmin.web.forms"),
    (LAYERS, "helpers", "json"),
    (PURE, "domain.lines", "rapidfuzz"),
    (PURE, "domain.lines", "django.utils.text"),
    (PURE, "domain.entries", "snowballstemmer"),
    (SERVICES_ONLY, "web.forms", "memoryadmin.models"),
    (SERVICES_ONLY, "web.forms", "memoryadmin.storage"),
    (SERVICES_ONLY, "tasks", "memoryadmin.storage"),
    (SERVICES_ONLY, "management.commands.up", "memoryadmin.models"),
    (S3, "services.jobs", "boto3"),
    (S3, "web.forms", "botocore.exceptions"),
    (SERVICES, "services.audit", "memoryadmin.services.jobs"),
    (SERVICES, "services.people", "memoryadmin.services.scopes"),
    (SERVICES, "services.files.values", "memoryadmin.services.projection"),
    (SERVICES, "services.newcomer", "json"),
    (IDEAS, "domain.errors", "memoryadmin.domain.scopes"),
    (IDEAS, "domain.lines", "memoryadmin.domain.limits"),
    (IDEAS, "domain.newcomer", "json"),
    (CYCLES, "services.files.values", "memoryadmin.services.files.writing"),
    (CYCLES, "domain.scopes", "memoryadmin.domain.permissions"),
)


def broken_contracts() -> list[str]:
    """Return the names of the contracts that the package found first on the path breaks."""
    use_cases._register_built_in_contract_types()
    options = use_cases.read_user_options(str(ROOT / "pyproject.toml"))
    with contextlib.redirect_stdout(io.StringIO()):
        report = use_cases.create_report(options, cache_dir=None)
    return [contract.name for contract, check in report.get_contracts_and_checks() if not check.kept]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which imports may be planted."""
    folder = tmp_path_factory.mktemp("planted")
    for path in under("memoryadmin/", ".py"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    return folder


@pytest.fixture
def found_first(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the linter, which looks packages up without importing them, find the copy."""
    monkeypatch.syspath_prepend(copy)
    monkeypatch.delitem(sys.modules, "memoryadmin")
    return copy / "memoryadmin"


def test_every_contract_is_kept() -> None:
    assert broken_contracts() == []


def test_the_copy_is_what_the_linter_reads(found_first: Path) -> None:
    assert broken_contracts() == []
    found = importlib.util.find_spec("memoryadmin")
    assert found is not None
    assert found.origin == str(found_first / "__init__.py")


@pytest.mark.parametrize(
    ("contract", "module", "imported"), PLANTED, ids=lambda value: value.replace("memoryadmin.", "")
)
def test_a_planted_import_breaks_its_contract(found_first: Path, contract: str, module: str, imported: str) -> None:
    place = found_first.joinpath(*module.split(".")).with_suffix(".py")
    before = place.read_text() if place.exists() else None
    place.write_text(f"{before or ''}\nimport {imported}\n")
    try:
        assert contract in broken_contracts()
    finally:
        place.write_text(before) if before is not None else place.unlink()


def test_every_contract_has_a_planted_violation() -> None:
    options = use_cases.read_user_options(str(ROOT / "pyproject.toml"))
    assert {contract["name"] for contract in options.contracts_options} == {contract for contract, _, _ in PLANTED}
