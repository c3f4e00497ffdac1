"""Debian's packages: finds missing ones, and installs them where that is allowed."""

import os
import shutil
import subprocess
import sys


def version(package):
    """The installed version, or None."""
    if shutil.which("dpkg-query") is None:
        return None
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Status} ${Version}", package], capture_output=True, text=True)
    status, _, number = answer.stdout.rpartition(" ")
    return number if answer.returncode == 0 and status == "install ok installed" else None


def missing(packages):
    return [package for package in packages if version(package) is None]


def is_known(package):
    return subprocess.run(["apt-cache", "show", package], capture_output=True).returncode == 0


def may_install(prefix):
    needed = ["apt-get", *prefix[:1]]
    return all(map(shutil.which, needed)) and subprocess.run([*prefix, "true"], capture_output=True).returncode == 0


def install(packages):
    """Installs available missing packages, or prints the command if it may not install. The caller finds failures by a later check."""
    wanted = missing(packages)
    if not wanted:
        return
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not may_install(prefix):
        print(f"Missing packages. Run: sudo apt-get install {' '.join(wanted)}", file=sys.stderr)
        return
    print(f"installing {' '.join(wanted)}", file=sys.stderr)
    quiet = {"stdout": subprocess.DEVNULL, "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run([*prefix, "apt-get", "update", "-qq"], **quiet)
    known = [package for package in wanted if is_known(package)]
    if known:
        subprocess.run([*prefix, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *known], **quiet)
