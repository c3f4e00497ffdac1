"""The version of libassay is checked when the package is loaded."""

import os
import shutil
import subprocess
import sys

import pytest


@pytest.mark.parametrize("version, loads", [("0.1.0", True), ("0.2.0", True), ("1.0.0", False), ("0.0.9", False), ("x", False)])
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a compiler")
def test_a_library_of_another_version_is_refused(tmp_path, version, loads):
    source = tmp_path / "version.c"
    source.write_text('const char *assay_version(void) { return "%s"; }\n' % version)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "version.so", source], check=True)
    preloaded = ":".join(filter(None, [os.environ.get("LD_PRELOAD"), str(tmp_path / "version.so")]))
    done = subprocess.run(
        [sys.executable, "-c", "import assay"], capture_output=True, text=True, env={**os.environ, "LD_PRELOAD": preloaded}
    )
    assert (done.returncode == 0) == loads
    assert loads or f"ImportError: assay: this package needs libassay 0.1, and found {version}" in done.stderr
