"""Validates the files against the schemas in schema/."""

import json
from pathlib import Path

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from .suite import GeneratorError

DIRECTORY = Path(__file__).resolve().parent.parent / "schema"


def validators():
    """The validator of each kind of file."""
    schemas = {path.name: json.loads(path.read_text()) for path in DIRECTORY.glob("*.schema.json")}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    registry = Registry().with_resources([(name, Resource.from_contents(schema)) for name, schema in schemas.items()])
    return {name.partition(".")[0]: Draft202012Validator(schema, registry=registry) for name, schema in schemas.items()}


def validate(files):
    """Raises unless each file is as the schema of its kind says."""
    by_kind, faults = validators(), []
    for name, octets in files.items():
        document = json.loads(octets)
        for error in by_kind[document["kind"]].iter_errors(document):
            faults.append(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    if faults:
        raise GeneratorError("\n".join(faults))
