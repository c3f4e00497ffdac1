// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "assay-benchmarks",
    traits: [
        .trait(name: "JWTKit", description: "jwt-kit beside Assay. Builds BoringSSL, which takes minutes."),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(name: "assay", path: "..", traits: []),
        // Without its interposers: CCounts and CInstructionCount count instead, see README.md.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // What is counted, and how.
        .target(name: "CCounts"),
        .target(name: "CInstructionCount"),
        .target(name: "Fixtures"),
        .target(
            name: "Counting", dependencies: ["CCounts", "CInstructionCount", "Fixtures", .product(name: "JWTCore", package: "assay")]),

        // The gate, which needs nothing but the library.
        .executableTarget(name: "gate", dependencies: ["Counting"]),

        // The same counts and the times, by ordo-one's package; and jwt-kit.
        .executableTarget(
            name: "Counts", dependencies: ["Counting", .product(name: "Benchmark", package: "benchmark")], path: "Benchmarks/Counts",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
        .executableTarget(
            name: "jwt-kit-counts",
            dependencies: ["CCounts", "Fixtures", .product(name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["JWTKit"]))]),
    ]
)

/// As in the package that is measured.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .strictMemorySafety(),
]

for target in package.targets where target.name != "Counts" {
    target.swiftSettings = strict
}
