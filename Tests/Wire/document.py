"""A server as its OpenAPI document describes it, for clients that know only the document.

Paths and the places of credentials come from the document. The document must describe the names that a client uses (operations, header
fields, members of bodies). A client sees only the parts of an answer that the schema describes.
"""
import json
import urllib.error
import urllib.parse
import urllib.request

import jsonschema


class Service:
    """The operations at a base URL, by operationId."""

    def __init__(self, base):
        self.base = base
        self.document = json.loads(urllib.request.urlopen(f"{base}/openapi.json", timeout=120).read())
        self.held = 0
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for path, item in self.document["paths"].items()
            for method, operation in item.items()
        }

    def fact(self, text, holds):
        if not holds:
            raise AssertionError(text)
        self.held += 1

    def resolved(self, part):
        while isinstance(part, dict) and "$ref" in part:
            target = self.document
            for name in part["$ref"].removeprefix("#/").split("/"):
                target = target[name.replace("~1", "/").replace("~0", "~")]
            part = target
        return part

    def valid(self, value, schema):
        jsonschema.validate(value, {**schema, "components": self.document["components"]})

    def credential(self, name, scheme, value):
        """The header field for a credential of the security scheme, which the operation must accept."""
        accepted = [scheme for requirement in self.operations[name][2]["security"] for scheme in requirement]
        self.fact(f"{name} takes a credential {scheme}", scheme in accepted)
        described = self.resolved(self.document["components"]["securitySchemes"][scheme])
        if described["type"] == "http":
            return {"Authorization": f"{described['scheme'].capitalize()} {value}"}
        self.fact(f"{scheme} is a header field", described["in"] == "header")
        return {described["name"]: value}

    def schema_of_body(self, operation):
        return next(iter(operation["requestBody"]["content"].items()))

    def answered(self, name, status, text):
        """The body of an answer, which must match the document for that operation and status."""
        _, _, operation = self.operations[name]
        promised = operation["responses"].get(str(status))
        self.fact(f"{name} may answer {status}: {text[:200]}", promised is not None)
        content = self.resolved(promised).get("content")
        self.fact(f"{name} answers a body where one is promised", not text or bool(content))
        if not text:
            return None
        schema = next(iter(content.values()))["schema"]
        value = json.loads(text)
        self.valid(value, schema)
        self.held += 1
        return self.described(value, schema)

    def described(self, value, schema):
        """The value without the members that its schema does not describe."""
        schema = self.resolved(schema)
        for part in schema.get("allOf", ()):
            schema = {**self.resolved(part), **schema}
        if isinstance(value, dict) and "properties" in schema:
            return {name: self.described(value[name], part) for name, part in schema["properties"].items() if name in value}
        if isinstance(value, list) and "items" in schema:
            return [self.described(item, schema["items"]) for item in value]
        return value


class Device:
    """A sender of requests: one installation of one client, with its required header fields."""

    def __init__(self, service, fields):
        self.service = service
        self.fields = fields

    def call(self, name, body=None, credential=None, fields=(), **parts):
        """The status and the body of an operation's answer, both checked against the document."""
        method, path, operation = self.service.operations[name]
        sent = {**self.header(name), **dict(fields)}
        if credential is not None:
            sent.update(self.service.credential(name, *credential))
        data = None
        if body is not None:
            media_type, content = self.service.schema_of_body(operation)
            schema = self.service.resolved(content["schema"])
            self.service.fact(f"{name} describes the members {set(body)}", set(body) <= set(schema["properties"]))
            self.service.valid(body, schema)
            data = json.dumps(body).encode()
            sent["Content-Type"] = f"{media_type};charset=utf8"
        path = path.format(**{name: urllib.parse.quote(part, safe="") for name, part in parts.items()})
        request = urllib.request.Request(self.service.base + path, data, sent, method=method.upper())
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as refusal:
            status, text = refusal.code, refusal.read()
        return status, self.service.answered(name, status, text)

    def header(self, name):
        """The fields of this device that the operation describes; required fields must be present."""
        parameters = [self.service.resolved(parameter) for parameter in self.service.operations[name][2]["parameters"]]
        header = {parameter["name"]: parameter["required"] for parameter in parameters if parameter["in"] == "header"}
        missing = {field for field, required in header.items() if required} - set(self.fields)
        self.service.fact(f"{name} wants {missing} too", not missing)
        return {field: value for field, value in self.fields.items() if field in header}
