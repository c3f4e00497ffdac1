#!/usr/bin/env python3
"""Writes the bill of materials of this build, .build/assay.cdx.json (CycloneDX 1.6), and checks it and every licence.

    scripts/supply_chain/sbom.py [BUILD]     BUILD is the folder of the build, by default .build

Prints the parts of each product with their licences and sizes: of a package of Debian what it installs, of all else the code and data in
its objects, before the linker leaves out what nothing calls. The closing line counts: each part with an allowed licence and a known
origin, each source file without a foreign notice, and the document against the schema of CycloneDX. Two runs over one build write the same
bytes.
"""

import re
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component as Entry
from cyclonedx.model.component import ComponentScope, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from components import ROOT, components
from products import output

NOTICE = re.compile(
    rb"copyright (?:\(c\)|\xc2\xa9|[12]\d{3})|spdx-license-identifier|all rights reserved|licensed under the", re.IGNORECASE)
# The licence itself, the statement of Debian, and the texts that this check looks for.
NOTICES_OF_OUR_OWN = {"LICENSE", "debian/copyright", "scripts/supply_chain/sbom.py", "scripts/supply_chain/licences.toml"}


def entry(component):
    made = Entry(
        name=component.name, version=component.version, type=ComponentType.LIBRARY, bom_ref=component.purl,
        purl=PackageURL.from_string(component.purl), scope=ComponentScope.REQUIRED if component.is_linked else ComponentScope.EXCLUDED,
        licenses=[LicenseExpression(component.licence)] if component.licence else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=component.sha256)])
    if component.source:
        made.external_references.add(ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(component.source)))
    for part in component.parts:
        made.components.add(entry(part))
    return made


def version():
    header = (ROOT / "include" / "assay.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"define ASSAY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


def document(found):
    commit, seconds = output("git", "log", "-1", "--format=%H %ct").split()
    product = Entry(name="assay", version=version(), type=ComponentType.APPLICATION, bom_ref=f"assay@{version()}",
                    licenses=[LicenseExpression("Apache-2.0")])
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"assay {commit}"))
    bom.metadata.timestamp = datetime.fromtimestamp(int(seconds), timezone.utc)
    bom.metadata.component = product
    entries = {component.purl: entry(component) for component in found}
    bom.components.update(entries.values())
    bom.register_dependency(product, [entries[component.purl] for component in found if component.is_linked])
    for name in product_names(found):
        made = Entry(name=name, version=version(), type=ComponentType.APPLICATION, bom_ref=f"assay@{version()}#{name}",
                     licenses=[LicenseExpression("Apache-2.0")])
        product.components.add(made)
        bom.register_dependency(made, [entries[component.purl] for component in found if name in component.products])
    return JsonV1Dot6(bom).output_as_string(indent=2)


def product_names(found):
    return list(dict.fromkeys(name for component in found for name in component.products))


def table(found):
    """A line for each part of each product: its licence and its size in kB."""
    for name in product_names(found):
        parts = [component for component in found if name in component.products]
        yield f"{name}: {len(parts)} parts"
        for part in sorted(parts, key=lambda part: -part.products[name]):
            yield f"  {part.name:32}{part.version:22}{part.licence or 'unknown':42}{part.products[name] / 1000:10,.0f} kB"


def foreign_notices():
    """The files of the repository that carry somebody's notice: everything here was written for Assay (debian/copyright)."""
    names = [name for name in output("git", "ls-files", "-z").split("\0") if name and (ROOT / name).is_file()]
    return len(names), [name for name in names if name not in NOTICES_OF_OUR_OWN and NOTICE.search((ROOT / name).read_bytes())]


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build").resolve()
    found = components(build)
    parts = [*found, *(part for each in found for part in each.parts)]
    faults = [f"{part.name}: {fault}" for part in parts for fault in part.faults]
    text = document(found)
    invalid = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    files, foreign = foreign_notices()
    for fault in [*faults, *([f"the document is invalid: {invalid}"] if invalid else []),
                  *(f"{name} carries a notice of somebody else" for name in foreign)]:
        print(f"FAIL {fault}")
    target = ROOT / ".build" / "assay.cdx.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(text + "\n", encoding="utf-8")
    linked = sum(part.is_linked for part in found)
    print(*table(found), sep="\n")
    print(f"wrote {target.relative_to(ROOT)}: {len(found)} parts, {linked} of them linked; {files} files of our own")
    failed = len({fault.split(':')[0] for fault in faults}) + bool(invalid) + len(foreign)
    print(f"{len(parts) + 1 + files - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
