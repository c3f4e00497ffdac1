// swift-tools-version: 6.2

import PackageDescription

// libFuzzer targets, each with the product that it fuzzes. Built and run by scripts/fuzz.sh, under AddressSanitizer.
let targets = [
    ("TokenFuzzer", "JWTCore"), ("HeaderFuzzer", "JWTCore"), ("PayloadFuzzer", "JWTCore"), ("KeySetFuzzer", "JWTCore"),
    ("CheckRequestFuzzer", "GatewayServer"), ("DecisionFuzzer", "Gateway"),
]

let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "assay", path: "..", traits: [])],
    targets: [.target(name: "CFuzzDriver"), .target(name: "FuzzInput")]
        + targets.map { name, product in
            .executableTarget(
                name: name,
                dependencies: ["CFuzzDriver", "FuzzInput", .product(name: product, package: "assay")],
                swiftSettings: [
                    .enableExperimentalFeature("Lifetimes"),
                    .unsafeFlags(["-sanitize=fuzzer,address"]),
                ],
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
            )
        }
)
