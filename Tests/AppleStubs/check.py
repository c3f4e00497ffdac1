"""Type-checks the parts of IDaaSFlows that only Apple's systems compile, against stubs of their SDKs: the few declarations that they use.

It needs the release build. Usage: check.py [BUILD]; BUILD is .build/release unless given.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).parent.parent.parent
build = root / (sys.argv[1] if len(sys.argv) > 1 else ".build/release")
stubs = sorted(pathlib.Path(__file__).parent.glob("*.swift"))
# Declarations of `package` level are visible to one package, which SwiftPM names by the folder.
package = re.search(r'"-module-name","IDaaSFlows"[^\n]*?"-package-name","(\w+)"', (root / ".build/release.yaml").read_text())[1]
maps = [root / "Sources/CJansson/module.modulemap", *build.glob("*.build/module.modulemap")]
passed = 0
with tempfile.TemporaryDirectory() as folder:
    for stub in stubs:
        module = f"{folder}/{stub.stem}.swiftmodule"
        subprocess.run(["swiftc", "-emit-module", "-parse-as-library", "-module-name", stub.stem, "-o", module, str(stub)], check=True)
    sources = sorted((root / "Sources/IDaaSFlows").rglob("*.swift"))
    adapters = {stub.stem: [path for path in sources if f"canImport({stub.stem})" in path.read_text()] for stub in stubs}
    command = [
        "swiftc", "-typecheck", "-parse-as-library", "-module-name", "IDaaSFlows", "-package-name", package, "-swift-version", "6",
        "-strict-memory-safety", "-warnings-as-errors", "-I", folder, "-I", str(build / "Modules")]
    for feature in ("MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny"):
        command += ["-enable-upcoming-feature", feature]
    for file in maps:
        command += ["-Xcc", f"-fmodule-map-file={file}"]
    result = subprocess.run([*command, "-enable-experimental-feature", "Lifetimes", *map(str, sources)])
    for name, paths in adapters.items():
        is_used = bool(paths) and result.returncode == 0
        passed += is_used
        print(f"{'ok  ' if is_used else 'FAIL'} {name}: {', '.join(path.name for path in paths) or 'no file uses it'}")
print(f"{passed} passed, {len(stubs) - passed} failed")
sys.exit(passed != len(stubs))
