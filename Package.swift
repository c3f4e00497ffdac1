// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "assay",
    products: [
        .library(name: "JWTCore", targets: ["JWTCore"]),
        .library(name: "JWKSCache", targets: ["JWKSCache"]),
        .library(name: "JWKSHTTP", targets: ["JWKSHTTP", "HTTPGuard"]),
        .library(name: "IDaaSFlows", targets: ["IDaaSFlows"]),
        .library(name: "AssayFlows", targets: ["IDaaSFlows", "IDaaSHTTP", "JWKSHTTP", "HTTPGuard"]),
        .library(name: "IDaaSServer", targets: ["IDaaSServer"]),
        .executable(name: "assay", targets: ["assay"]),
    ],
    traits: [
        // A package that wants the library alone depends on this one with `traits: []` and then resolves no other package.
        .trait(name: "CommandLine", description: "The assay and bench executables, which parse arguments."),
        .trait(name: "HTTP", description: "JWKSHTTP and IDaaSHTTP, which reach issuers through AsyncHTTPClient."),
        .trait(name: "IDaaS", description: "IDaaSServer, the reference identity provider.", enabledTraits: ["HTTP", "Metrics"]),
        .trait(name: "Metrics", description: "RefreshMetrics, which reports the key cache to swift-metrics."),
        .default(enabledTraits: ["CommandLine", "HTTP", "IDaaS", "Metrics"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", .upToNextMinor(from: "0.2.0")),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        // C
        .target(name: "CJWTKernels"),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CReadCopyUpdate"),
        .target(name: "CAffinity"),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),

        // Libraries
        .target(name: "JWTCore", dependencies: ["CJWTKernels", "COpenSSL", "CJansson", "CReadCopyUpdate"]),
        .target(name: "JWTSigning", dependencies: ["JWTCore", "COpenSSL"]),
        .target(name: "JWKSCache", dependencies: ["JWTCore", "CReadCopyUpdate", .metrics]),
        .target(name: "HTTPGuard", dependencies: ["JWTCore"] + .http),
        .target(name: "JWKSHTTP", dependencies: ["JWKSCache", "HTTPGuard"]),
        .target(name: "Secrets", dependencies: ["COpenSSL"]),
        .target(name: "Pictures"),
        .target(name: "IDaaSFlows", dependencies: ["JWTCore", "JWKSCache", "Secrets"]),
        .target(name: "IDaaSHTTP", dependencies: ["IDaaSFlows", "HTTPGuard", "JWKSCache", "JWKSHTTP"]),
        .target(
            name: "IDaaSServer", dependencies: ["JWTCore", "JWTSigning", "Secrets", "HTTPGuard", .metrics] + .server),

        // Composition roots
        .executableTarget(
            name: "assay",
            dependencies: [
                "JWTCore", "JWKSCache", "JWKSHTTP", "HTTPGuard", "IDaaSFlows", "IDaaSHTTP", "IDaaSServer", "Pictures", .argumentParser,
            ]),
        .executableTarget(
            name: "bench", dependencies: ["JWTCore", "JWKSCache", "JWTSigning", "COpenSSL", "CAffinity", .argumentParser, .histogram]),

        // Tests
        .target(name: "CKernelAgreement", dependencies: ["CJWTKernels"], path: "Tests/CKernelAgreement"),
        .target(name: "CMallocCount", path: "Tests/CMallocCount"),
        .target(name: "CForkCheck", dependencies: ["CReadCopyUpdate"], path: "Tests/CForkCheck"),
        .target(name: "CInstructionCount", path: "Tests/CInstructionCount"),
        .target(name: "JWTTestSupport", dependencies: ["JWTCore", "JWTSigning"], path: "Tests/JWTTestSupport"),
        .executableTarget(
            name: "allocation-probe", dependencies: ["JWKSCache", "JWTCore", "JWTTestSupport", "JWKSTestSupport", "CMallocCount"],
            path: "Tests/AllocationProbe"),
        .executableTarget(
            name: "hit-path-probe", dependencies: ["JWKSCache", "JWTCore", "JWTTestSupport", "JWKSTestSupport", "CInstructionCount"],
            path: "Tests/HitPathProbe"),
        .executableTarget(
            name: "mutation-probe", dependencies: ["JWTCore", "JWTSigning", "JWTTestSupport"], path: "Tests/MutationProbe"),
        .executableTarget(
            name: "kernel-differential", dependencies: ["CJWTKernels", "COpenSSL"], path: "Tests/KernelDifferential",
            linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "key-cache-simulation", dependencies: ["JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport"],
            path: "Tests/KeyCacheSimulation", exclude: ["README.md"]),
        .testTarget(
            name: "JWTCoreTests",
            dependencies: [
                "JWTCore", "JWTSigning", "JWTTestSupport", "CJWTKernels", "COpenSSL", "CJansson", "CKernelAgreement", "CForkCheck",
            ]),
        .target(name: "LoopbackServer", path: "Tests/LoopbackServer"),
        .target(
            name: "LoginSupport", dependencies: ["IDaaSFlows", "JWKSCache", "JWTCore", "SliderSolver"], path: "Tests/LoginSupport"),
        .executableTarget(
            name: "login-walk", dependencies: ["LoginSupport", "IDaaSFlows", "IDaaSHTTP", "HTTPGuard", "JWTCore"], path: "Tests/LoginWalk"),
        .executableTarget(
            name: "idaas-load", dependencies: ["LoginSupport", "IDaaSFlows", "IDaaSHTTP"], path: "Tests/IDaaSLoad", exclude: ["run.sh"]),
        .executableTarget(
            name: "idaas-crash", dependencies: ["LoginSupport", "IDaaSFlows", "IDaaSHTTP"], path: "Tests/IDaaSCrash"),
        .executableTarget(
            name: "loopback-provider", dependencies: ["LoopbackServer", "JWTSigning", "JWTCore"], path: "Tests/LoopbackProvider"),
        .target(
            name: "JWKSTestSupport", dependencies: ["JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport"], path: "Tests/JWKSTestSupport"),
        .testTarget(
            name: "JWKSCacheTests",
            dependencies: [
                "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport", "JWKSTestSupport", "CReadCopyUpdate", "CForkCheck", .metrics,
                .metricsTestKit,
            ]),
        .testTarget(
            name: "JWKSHTTPTests",
            dependencies: [
                "JWKSHTTP", "HTTPGuard", "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport", "JWKSTestSupport", "LoopbackServer",
                "IDaaSFlows", "IDaaSHTTP",
            ] + .http),
        .testTarget(
            name: "IDaaSFlowsTests",
            dependencies: [
                "IDaaSFlows", "IDaaSHTTP", "HTTPGuard", "JWKSCache", "JWTCore", "JWTSigning", "Secrets", "JWTTestSupport",
                "JWKSTestSupport",
                "LoopbackServer",
            ]),
        .target(name: "SliderSolver", dependencies: ["Pictures"], path: "Tests/SliderSolver"),
        .testTarget(name: "SliderTests", dependencies: ["IDaaSServer", "Pictures", "Secrets", "SliderSolver"]),
        .testTarget(name: "PicturesTests", dependencies: ["Pictures"]),
        .testTarget(name: "SecretsTests", dependencies: ["Secrets", "JWTSigning", "JWTCore", "COpenSSL"]),
        .target(
            name: "IDaaSTestSupport", dependencies: ["IDaaSServer", "JWTCore", "Secrets"] + .server + .wireClient,
            path: "Tests/IDaaSTestSupport"),
        .testTarget(
            name: "IDaaSServerTests",
            dependencies: [
                "IDaaSServer", "IDaaSFlows", "IDaaSTestSupport", "JWTCore", "JWTSigning", "Secrets", "HTTPGuard", "LoopbackServer",
                .metrics,
            ] + .server),
        .testTarget(
            name: "SecuritySentenceTests",
            dependencies: [
                "IDaaSServer", "IDaaSTestSupport", "IDaaSFlows", "IDaaSHTTP", "HTTPGuard", "JWKSCache", "JWTCore", "JWTSigning", "Secrets",
                "Pictures", "LoginSupport", "LoopbackServer", "JWTTestSupport", "JWKSTestSupport",
            ] + .server),
        .testTarget(name: "ConformanceTests", dependencies: ["JWTCore", "JWTTestSupport", "COpenSSL"]),
        .testTarget(
            name: "CommandLineTests", dependencies: ["JWTCore", "JWTTestSupport", "JWKSTestSupport", "LoopbackServer", "assay", "bench"]),
    ]
)

extension Target.Dependency {
    static var argumentParser: Self {
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))
    }

    static var histogram: Self {
        .product(name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["CommandLine"]))
    }

    static var metrics: Self { .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])) }

    static var metricsTestKit: Self { .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])) }
}

extension [Target.Dependency] {
    /// What only IDaaSServer may know.
    static var server: Self {
        [
            ("Hummingbird", "hummingbird"), ("HummingbirdCore", "hummingbird"), ("HummingbirdTLS", "hummingbird"),
            ("HTTPTypes", "swift-http-types"),
            ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
            ("ServiceLifecycle", "swift-service-lifecycle"),
            ("UnixSignals", "swift-service-lifecycle"), ("Logging", "swift-log"), ("GRDB", "GRDB.swift"), ("Yams", "Yams"),
        ]
        .map { .product(name: $0.0, package: $0.1, condition: .when(traits: ["IDaaS"])) }
    }

    /// An HTTP client for tests that speak to a server as anybody would.
    static var wireClient: Self {
        [("AsyncHTTPClient", "async-http-client"), ("NIOHTTP1", "swift-nio")]
            .map { .product(name: $0.0, package: $0.1, condition: .when(traits: ["HTTP"])) }
    }

    /// What only HTTPGuard may know, and the TLS server of its tests.
    static var http: Self {
        [
            ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"), ("NIOHTTP1", "swift-nio"),
            ("NIOSSL", "swift-nio-ssl"), ("NIOHTTPCompression", "swift-nio-extras"),
        ]
        .map { .product(name: $0.0, package: $0.1, condition: .when(traits: ["HTTP"])) }
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
