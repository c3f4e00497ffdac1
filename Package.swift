// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "assay",
    products: [
        .library(name: "JWTCore", targets: ["JWTCore"]),
        .executable(name: "assay", targets: ["assay"]),
    ],
    traits: [
        // A package that wants the library alone depends on this one with `traits: []` and then resolves no other package.
        .trait(name: "CommandLine", description: "The assay and bench executables, which parse arguments."),
        .default(enabledTraits: ["CommandLine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        // C
        .target(name: "CJWTKernels"),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("crypto")]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),

        // Libraries
        .target(name: "JWTCore", dependencies: ["CJWTKernels", "COpenSSL", "CJansson"]),
        .target(name: "JWTSigning", dependencies: ["JWTCore", "COpenSSL"]),

        // Composition roots
        .executableTarget(name: "assay", dependencies: ["JWTCore", .argumentParser]),
        .executableTarget(name: "bench", dependencies: ["JWTCore", "JWTSigning", "COpenSSL", .argumentParser]),

        // Tests
        .target(name: "CKernelAgreement", dependencies: ["CJWTKernels"], path: "Tests/CKernelAgreement"),
        .target(name: "CMallocCount", path: "Tests/CMallocCount"),
        .target(name: "JWTTestSupport", dependencies: ["JWTCore", "JWTSigning"], path: "Tests/JWTTestSupport"),
        .executableTarget(
            name: "allocation-probe", dependencies: ["JWTCore", "JWTTestSupport", "CMallocCount"], path: "Tests/AllocationProbe"),
        .executableTarget(
            name: "mutation-probe", dependencies: ["JWTCore", "JWTSigning", "JWTTestSupport"], path: "Tests/MutationProbe"),
        .testTarget(
            name: "JWTCoreTests",
            dependencies: ["JWTCore", "JWTSigning", "JWTTestSupport", "CJWTKernels", "COpenSSL", "CJansson", "CKernelAgreement"]),
        .testTarget(name: "ConformanceTests", dependencies: ["JWTCore", "JWTTestSupport", "COpenSSL"]),
        .testTarget(name: "CommandLineTests", dependencies: ["JWTTestSupport", "assay"]),
    ]
)

extension Target.Dependency {
    static var argumentParser: Self {
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))
    }
}

/// One set for every Swift target, tests included.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

for target in package.targets where target.type != .system {
    target.swiftSettings = strict
}
