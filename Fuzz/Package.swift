// swift-tools-version: 6.2

import PackageDescription

// libFuzzer targets. Built and run by scripts/fuzz.sh, under AddressSanitizer.
let targets = ["TokenFuzzer", "HeaderFuzzer", "PayloadFuzzer", "KeySetFuzzer"]

let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "assay", path: "..", traits: [])],
    targets: [.target(name: "CFuzzDriver"), .target(name: "FuzzInput")]
        + targets.map { name in
            .executableTarget(
                name: name,
                dependencies: ["CFuzzDriver", "FuzzInput", .product(name: "JWTCore", package: "assay")],
                swiftSettings: [
                    .enableExperimentalFeature("Lifetimes"),
                    .unsafeFlags(["-sanitize=fuzzer,address"]),
                ],
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
            )
        }
)
