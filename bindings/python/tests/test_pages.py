"""The Python of the pages runs, and the tasks on the page are those that the tests run."""

import re
from pathlib import Path

import pytest

import assay

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "bindings/python/README.md"
PAGES = [README, *(ROOT / f"Docs/{name}.md" for name in ("Python", "FromPyJWT", "FromJoserfc"))]


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), flags=re.M | re.S)


def test_the_readme_runs_from_top_to_bottom(capsys, assay_issuer):
    names = {}
    for block in blocks(README):
        exec(block, names)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "ann@example.com user-1"
    assert said[1:] == re.findall(r"# (.*)$", "\n".join(blocks(README)[1:2]), flags=re.M)
    names["test_me"](assay_issuer)
    names["keys"].close()


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.stem)
def test_code_of_a_page_stands_in_a_file_that_tests_run(page):
    files = [*(ROOT / "bindings/python/examples").glob("*.py"), *(ROOT / "bindings/python/tests").glob("test_*.py")]
    run = [re.sub(r"^ +", "", path.read_text(), flags=re.M) for path in files]
    found = blocks(page)
    assert found
    for block in found:
        wanted = re.sub(r"^ +", "", block, flags=re.M)
        assert any(wanted in text for text in run), block


def test_the_page_has_every_task():
    """The framework of the middleware is another one."""
    tasks = re.findall(r"^## (.*)$", (ROOT / "Docs/Tasks.md").read_text(), flags=re.M)[:12]
    mine = re.findall(r"^### (.*)$", (ROOT / "Docs/Python.md").read_text(), flags=re.M)
    assert mine == [task.replace("Hummingbird", "FastAPI") for task in tasks] and len(mine) == 12


def test_the_page_has_every_public_name():
    text = (ROOT / "Docs/Python.md").read_text()
    for name in assay.__all__:
        assert f"`{name}" in text, name
    for kind in (
        assay.Verifier,
        assay.Keys,
        assay.RemoteKeys,
        assay.Gateway,
        assay.Claims,
        assay.KeysState,
        assay.Decision,
        assay.VerificationError,
    ):
        for name in vars(kind):
            if not name.startswith("_") and name not in ("after_fork", "is_expecting", "generation"):
                assert f"`{name}" in text or f".{name}" in text, f"{kind.__name__}.{name}"


def test_the_links_of_the_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)
