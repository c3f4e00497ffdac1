// swift-tools-version: 6.2

import PackageDescription

// The counted operations and the gate. They need only the library, and have the trait of the C interface, with which they share what is
// compiled.
let package = Package(
    name: "counting",
    products: [
        .library(name: "Counting", targets: ["Counting"]),
        .library(name: "Fixtures", targets: ["Fixtures"]),
        .library(name: "CCounts", targets: ["CCounts"]),
    ],
    dependencies: [.package(name: "assay", path: "../..", traits: ["HTTP"])],
    targets: [
        .target(name: "CCounts"),
        .target(name: "CInstructionCount"),
        .target(name: "Fixtures"),
        .target(name: "Costs"),
        .target(
            name: "Counting",
            dependencies: [
                "CCounts", "CInstructionCount", "Costs", "Fixtures", .product(name: "JWTCore", package: "assay"),
                .product(name: "JWKSCache", package: "assay"), .product(name: "Gateway", package: "assay"),
            ]),
        .executableTarget(name: "gate", dependencies: ["Counting", .product(name: "JWTCore", package: "assay")]),
    ]
)

/// The same settings as in the measured package.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .strictMemorySafety(),
]

for target in package.targets { target.swiftSettings = strict }
