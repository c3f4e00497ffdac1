"""Builds the extension modules with libassay and libassay-http: those of pkg-config, or of the folders ASSAY_INCLUDE and ASSAY_LIBRARY."""

import os
import shlex
import subprocess

from setuptools import Extension, setup

CORE = "box claims errors gateway keys module number policy start text verifier work".split()
HTTP = "box errors http number start text work".split()
FLAGS = [
    "-std=c11",
    "-g0",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-missing-field-initializers",
    "-Wno-unused-parameter",
    "-fvisibility=hidden",
]


def library(name):
    """The flags of the compiler and the linker for a library."""
    if "ASSAY_LIBRARY" in os.environ:
        return [f"-I{os.environ['ASSAY_INCLUDE']}"], [f"-L{os.environ['ASSAY_LIBRARY']}", f"-l{name}"]
    flags = [
        subprocess.run(["pkg-config", option, name], check=True, capture_output=True, text=True).stdout for option in ("--cflags", "--libs")
    ]
    return shlex.split(flags[0]), shlex.split(flags[1])


def extension(name, sources, *libraries):
    sanitizing = [f"-fsanitize={os.environ['ASSAY_SANITIZE']}"] if "ASSAY_SANITIZE" in os.environ else []
    compiling, linking = FLAGS + sanitizing, ["-Wl,-z,now", "-Wl,-z,relro", *sanitizing]
    for each in libraries:
        found = library(each)
        compiling += found[0]
        linking += found[1]
    return Extension(
        f"assay.{name}",
        [f"core/{source}.c" for source in sources],
        define_macros=[("Py_LIMITED_API", "0x03090000")],
        py_limited_api=True,
        extra_compile_args=compiling,
        extra_link_args=linking,
        depends=["core/core.h"],
    )


setup(
    ext_modules=[extension("_core", CORE, "assay"), extension("_http", HTTP, "assay-http", "assay")],
    options={"bdist_wheel": {"py_limited_api": "cp39"}},
)
