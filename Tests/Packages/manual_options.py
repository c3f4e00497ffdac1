"""Prints what the man page lacks: `{ assay --experimental-dump-help; … } | manual_options.py FILE`. Each command must have its own section in the
page, which the file has as text, and each of its options must be in that section."""
import json
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text()


def check(command, path):
    for one in command.get("subcommands", []):
        if one["shouldDisplay"] and one["commandName"] != "help":
            check(one, [*path, one["commandName"]])
    if command.get("subcommands"):
        return
    title = " ".join(path)
    found = re.search(rf"^   {re.escape(title)}$\n(.*?)(?=^   \S|\Z)", page, re.MULTILINE | re.DOTALL)
    if not found:
        print(f"no section {title}")
        return
    for option in command["arguments"]:
        name = option.get("preferredName", {"name": option["valueName"]})["name"]
        if not option["shouldDisplay"] or name in ("help", "version"):
            continue
        if not re.search(rf"^ {{7}}(\S+ )*(--)?{re.escape(name)}\b", found[1].split("\n\n", 3)[-1], re.MULTILINE):
            print(f"{title}: no {name}")


sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "scripts"))
import manual  # noqa: E402

dump = manual.merged(*manual.dumps(sys.stdin.read()))
check(dump, [dump["commandName"]])
