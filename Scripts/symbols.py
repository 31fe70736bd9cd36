"""The symbol graphs of the modules: what a client sees of them, as the compiler says it."""

import json
import re
import subprocess
import sys
import tempfile


def tool(name):
    return ["xcrun", name] if sys.platform == "darwin" else [name]


def run(command, **options):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def target():
    triple = json.loads(run(["swiftc", "-print-target-info"]))["target"]["triple"]
    sdk = ["-sdk", run(["xcrun", "--show-sdk-path"]).strip()] if sys.platform == "darwin" else []
    return ["-target", triple, *sdk]


def write_symbols(root, module, modules, graphs):
    """Writes the symbol graph of a module of the package in `root`, which is built in `modules`, into the folder `graphs`."""
    graphs.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        if module == "FlaskSwiftUI" and sys.platform != "darwin":
            build_beside_swiftui(root, modules, scratch)
        run(
            [*tool("swift-symbolgraph-extract"), "-module-name", module, *target(), "-I", scratch, "-I", modules]
            + ["-minimum-access-level", "public", "-skip-synthesized-members", "-emit-extension-block-symbols"]
            + ["-output-dir", graphs]
        )


def build_beside_swiftui(root, modules, scratch):
    """Builds FlaskSwiftUI where there is no SwiftUI: its stand-in takes its place, as in check-stand-ins.sh."""
    build = ["swiftc", "-swift-version", "6", "-parse-as-library", "-wmo", "-emit-module", "-I", modules, "-I", scratch]
    run(build + ["-module-name", "SwiftUI", root / "Checks/SwiftUI/SwiftUI.swift"], cwd=scratch)
    features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    run(
        build
        + ["-module-name", "FlaskSwiftUI", "-package-name", re.sub(r"\W", "_", root.name.lower())]
        + [part for feature in features for part in ("-enable-upcoming-feature", feature)]
        + sorted((root / "Sources/FlaskSwiftUI").glob("*.swift")),
        cwd=scratch,
    )
