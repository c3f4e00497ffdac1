"""The clients: wrk, which measures the most that a server answers, and openloop (openloop/main.c), which asks at a constant rate."""
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
# As many as nginx keeps to the service by its page in integrations/.
CONNECTIONS = 32


def compiled(folder):
    """Compiles openloop and returns the program."""
    program = folder / "openloop"
    sources = sorted((HERE / "openloop").glob("*.c"))
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, *sources], check=True)
    return program


def openloop(program, target, requests, seconds, rate=0, warmup=0.3):
    """Asks at `rate` requests a second; at 0, again and again after each answer."""
    shape = ["--grpc", "--connections", "4", "--streams", "16"] if target.protocol == "grpc" else ["--connections", CONNECTIONS]
    command = [program, "--address", target.address, "--requests", requests, *shape, "--seconds", seconds, "--warmup", warmup]
    if rate:
        command += ["--rate", rate]
    return said(command, seconds)


def wrk(target, tokens, seconds):
    fields = [f"{name}={value}" for name, value in target.question[1:]]
    path = target.question[0] if target.question else target.path
    return said(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "5s", "-s", HERE / "tokens.lua",
                 f"http://{target.address}{path}", "--", tokens, *fields], seconds)


def said(command, seconds):
    command = [str(word) for word in command]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
    if answer.returncode != 0 or not answer.stdout.strip():
        raise SystemExit(f"{' '.join(command)}\n{answer.stdout}{answer.stderr}")
    result = json.loads(answer.stdout.strip().splitlines()[-1])
    if answer.stderr:
        result["said"] = answer.stderr[-300:]
    return result
