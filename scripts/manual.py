#!/usr/bin/env python3
"""Prints the man page of a command, from the descriptions of itself and of the programs that it starts:
`{ COMMAND --experimental-dump-help; PROGRAM --experimental-dump-help; } | manual.py VERSION`. The dumps are those of swift-argument-parser:
commands with their arguments and subcommands. SOURCE_DATE_EPOCH sets the date of the page."""
import json
import os
import sys
import time


def dumps(text):
    """The JSON documents in a text, one behind the other."""
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        document, end = decoder.raw_decode(text)
        yield document["command"]
        text = text[end:]


def merged(command, *programs):
    """The command with the subcommands of the programs in place of their names."""
    full = {one["commandName"]: one for program in programs for one in program["subcommands"] if one["commandName"] != "help"}
    return {**command, "subcommands": [full.get(one["commandName"], one) for one in command["subcommands"]]}


def main(version):
    command = merged(*dumps(sys.stdin.read()))
    name = command["commandName"]
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    print(f'.TH {name.upper()} 1 {date} "{name} {version}" "User Commands"')
    print(f".SH NAME\n{name} \\- {text(command['abstract']).rstrip('.')}")
    # No hyphenation and a ragged right margin: options stay whole.
    print(".nh\n.ad l\n.SH SYNOPSIS")
    print(f"\\fB{name}\\fR \\fIcommand\\fR [\\fIargument\\fR ...]\n.PP\n\\fB{name} help\\fR [\\fIcommand\\fR]")
    print(".SH DESCRIPTION")
    discussion(command)
    print(".SH COMMANDS")
    for one in runnable(command):
        print(f'.SS "{text(path(one))}"\n{text(one["abstract"])}')
        synopsis(one)
        discussion(one)
        options(one)


def runnable(command):
    """The commands that do something themselves, in the order of the help, without `help`."""
    shown = [one for one in command.get("subcommands", []) if one["shouldDisplay"] and one["commandName"] != "help"]
    return [leaf for one in shown for leaf in runnable(one)] or [command]


def path(command):
    return " ".join(command.get("superCommands", []) + [command["commandName"]])


def arguments(command):
    """The arguments of a command that the help shows, without --help and --version, which every command has."""
    shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    return [one for one in shown if not {"help", "version"} & {name["name"] for name in one.get("names", [])}]


def synopsis(command):
    parts = [synopsis_of(one) for one in arguments(command)]
    print(f".HP\n\\fB{text(path(command))}\\fR {' '.join(parts)}".rstrip())


def synopsis_of(argument):
    if argument["kind"] == "positional":
        shown = value(argument)
    else:
        shown = spelled(argument["preferredName"]) + (f" {value(argument)}" if argument["kind"] == "option" else "")
    shown += " ..." if argument["isRepeating"] else ""
    return f"[{shown}]" if argument["isOptional"] else shown


def options(command):
    for argument in arguments(command):
        if argument["kind"] == "positional":
            names = value(argument)
        else:
            names = ", ".join(spelled(name) for name in argument["names"])
            names += f" {value(argument)}" if argument["kind"] == "option" else ""
        print(f".TP\n{names}\n{text(argument.get('abstract', ''))}")
        if default := argument.get("defaultValue"):
            print(f"Default: {text(default)}.")
        if choices := argument.get("allValues"):
            print(f"Values: {text(', '.join(choices))}.")


def discussion(command):
    """A discussion has sentences, and lines that begin with `Example: `, which are shown as they are."""
    print(".PP")
    for line in command.get("discussion", "").splitlines():
        if line.startswith("Example: "):
            print(f".PP\nExample:\n.PP\n.nf\n.RS 4\n{text(line.removeprefix('Example: '))}\n.RE\n.fi")
        else:
            print(text(line) if line else ".PP")


def spelled(name):
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}[name["kind"]]
    return f"\\fB{text(dashes + name['name'])}\\fR"


def value(argument):
    return f"\\fI{text(argument['valueName'])}\\fR"


def text(plain):
    """The text with escapes for what roff would take: backslashes, hyphens, and a point or quotation mark that begins a line."""
    lines = [line.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\`") for line in plain.splitlines()]
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


if __name__ == "__main__":
    main(sys.argv[1])
