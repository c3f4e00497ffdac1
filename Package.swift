// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "assay",
    products: [
        .library(name: "JWTCore", targets: ["JWTCore"]),
        .library(name: "JWTDecryption", targets: ["JWTDecryption"]),
        .library(name: "TokenStatus", targets: ["TokenStatus"]),
        .library(name: "SelectiveDisclosure", targets: ["SelectiveDisclosure"]),
        .library(name: "JWSDocuments", targets: ["JWSDocuments"]),
        .library(name: "DPoP", targets: ["DPoP"]),
        .library(name: "JWKSCache", targets: ["JWKSCache"]),
        .library(name: "StatusListCache", targets: ["StatusListCache"]),
        .library(name: "SharedSignals", targets: ["SharedSignals"]),
        .library(name: "ReplayMemory", targets: ["ReplayMemory"]),
        .library(name: "Gateway", targets: ["Gateway"]),
        .library(name: "JWTCoreFoundation", targets: ["JWTCoreFoundation"]),
        // For the tests of programs that verify tokens. Its slider solver needs the trait IDaaS, nothing else another package.
        .library(name: "AssayTesting", targets: ["AssayTesting"]),
        .library(name: "HTTPGuard", targets: ["HTTPGuard", "JWKSCache", "JWTCoreFoundation"]),
        .library(name: "IDaaSFlows", targets: ["IDaaSFlows", "IDaaSWire"]),
        .library(name: "AssayFlows", targets: ["IDaaSFlows", "IDaaSWire", "HTTPGuard", "JWKSCache"]),
        .library(name: "IDaaSServer", targets: ["IDaaSServer", "IDaaSWire"]),
        .library(name: "GatewayServer", targets: ["GatewayServer"]),
        .library(name: "SharedReplayMemory", targets: ["SharedReplayMemory", "ReplayMemory"]),
        // For scripts/libassay.sh, which links libassay and libassay-http. A library product called assay would hide the executable.
        .library(name: "CAssay", type: .static, targets: ["CAssay"]),
        .library(name: "CAssayHTTP", type: .static, targets: ["CAssayHTTP"]),
        .executable(name: "assay", targets: ["assay"]),
        .executable(name: "assay-gateway", targets: ["assay-gateway"]),
        .executable(name: "assay-idaas", targets: ["assay-idaas"]),
    ],
    traits: [
        // A package that needs only the library depends on this one with `traits: []` and then resolves no other package.
        .trait(name: "CommandLine", description: "The assay and bench executables, which parse arguments."),
        .trait(name: "HTTP", description: "HTTPGuard, which reaches issuers through libcurl."),
        .trait(name: "HTTPServer", description: "HTTPEdge, which both servers stand on.", enabledTraits: ["Metrics"]),
        .trait(name: "IDaaS", description: "IDaaSServer, the reference identity provider.", enabledTraits: ["HTTP", "HTTPServer"]),
        .trait(name: "Gateway", description: "GatewayServer, the forward-auth service.", enabledTraits: ["HTTP", "HTTPServer"]),
        .trait(name: "Metrics", description: "Reports of fetches and verdicts to swift-metrics and swift-log."),
        .default(enabledTraits: ["CommandLine", "HTTP", "IDaaS", "Gateway", "Metrics"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", .upToNextMinor(from: "0.2.0")),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.40.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        // C
        .target(name: "CJWTKernels"),
        // OpenSSL's macros would put the path of every source file into the library.
        .target(name: "COpenSSL", cSettings: [.define("OPENSSL_NO_FILENAMES")], linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CReadCopyUpdate"),
        .target(name: "CAffinity"),
        .target(name: "CProgram"),
        .target(
            name: "CCurl",
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto"), .linkedLibrary("z")]),
        // Debian's hiredis has no TLS, which comes from OpenSSL.
        .target(
            name: "CValkey", linkerSettings: [.linkedLibrary("hiredis"), .linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .systemLibrary(name: "CAssayInterface", path: "include"),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),

        // Libraries
        .target(name: "Locks"),
        .target(name: "JWTCore", dependencies: ["Locks", "CJWTKernels", "COpenSSL", "CJansson", "CReadCopyUpdate"]),
        .target(name: "JWTSigning", dependencies: ["JWTCore", "COpenSSL"]),
        .target(name: "JWTDecryption", dependencies: ["JWTCore", "COpenSSL", "CZlib"]),
        .target(name: "TokenStatus", dependencies: ["JWTCore", "CZlib"]),
        .target(name: "SelectiveDisclosure", dependencies: ["JWTCore"]),
        .target(name: "JWSDocuments", dependencies: ["JWTCore"]),
        .target(name: "DPoP", dependencies: ["Locks", "JWTCore", "ReplayMemory"]),
        .target(name: "JWKSCache", dependencies: ["Locks", "JWTCore", "CReadCopyUpdate", .metrics, .logging]),
        .target(name: "StatusListCache", dependencies: ["Locks", "JWTCore", "TokenStatus", "JWKSCache", "CReadCopyUpdate"]),
        .target(name: "SharedSignals", dependencies: ["Locks", "JWTCore"]),
        .target(name: "ReplayMemory", dependencies: ["JWTCore", "COpenSSL"]),
        .target(name: "JWTCoreFoundation", dependencies: ["JWTCore", "JWKSCache"]),
        .target(
            name: "HTTPGuard", dependencies: ["Locks", "JWKSCache", "JWTCore", .byName(name: "CCurl", condition: .when(traits: ["HTTP"]))]),
        .target(name: "HTTPEdge", dependencies: ["Locks", "JWTCore", .metrics] + .edge),
        .target(
            name: "CAssay",
            dependencies: ["Locks", "CAssayInterface", "Gateway", "ReplayMemory", "StatusListCache", "JWKSCache", "JWTCore"]),
        .target(
            name: "Gateway",
            dependencies: [
                "Locks", "DPoP", "ReplayMemory", "StatusListCache", "JWKSCache", "JWTCore", "JWTDecryption", "JWTSigning",
                "CReadCopyUpdate",
            ]),
        .target(
            name: "CAssayHTTP", dependencies: ["Locks", "CAssayInterface", "CAssay", "HTTPGuard", "JWKSCache", "JWTCore"]),
        .target(
            name: "PostgreSQLClient",
            dependencies: [.byName(name: "CPostgreSQL", condition: .when(traits: ["IDaaS", "Gateway"]))]),
        .target(name: "Secrets", dependencies: ["COpenSSL"]),
        .target(
            name: "SharedReplayMemory",
            dependencies: ["Locks", "ReplayMemory", "JWTCore", "JWKSCache"]
                + ["PostgreSQLClient", "CValkey"].map { .byName(name: $0, condition: .when(traits: ["Gateway"])) }),
        .target(name: "Pictures", dependencies: ["CPNG"]),
        .target(name: "IDaaSWire", dependencies: ["JWTCore"]),
        .target(
            name: "IDaaSFlows",
            dependencies: [
                "Locks", "IDaaSWire", "JWTCore", "JWKSCache", "Secrets", .byName(name: "HTTPGuard", condition: .when(traits: ["HTTP"])),
            ]),
        .target(
            name: "IDaaSServer",
            dependencies: [
                "Locks", "IDaaSWire", "JWTCore", "JWKSCache", "JWTSigning", "Secrets", "HTTPGuard", "HTTPEdge", "Pictures", "CZlib",
                .metrics, .mustache, .byName(name: "PostgreSQLClient", condition: .when(traits: ["IDaaS"])),
            ] + .server,
            resources: [
                .embedInCode("Pages/Resources/login.mustache"), .embedInCode("Pages/Resources/failure.mustache"),
                .embedInCode("Pages/Resources/login.js"), .embedInCode("Pages/Resources/login.css"),
            ]),
        .target(
            name: "GatewayServer",
            dependencies: ["Locks", "Gateway", "ReplayMemory", "JWTCore", "JWKSCache", .metrics] + .gateway,
            resources: [
                .embedInCode("Administration/Resources/status.html"), .embedInCode("Administration/Resources/status.css"),
                .embedInCode("Administration/Resources/status.js"), .embedInCode("GatewayFiles/Resources/nginx.conf"),
                .embedInCode("GatewayFiles/Resources/assay_server.conf"), .embedInCode("GatewayFiles/Resources/assay_location.conf"),
                .embedInCode("GatewayFiles/Resources/haproxy.cfg"), .embedInCode("GatewayFiles/Resources/assay.lua"),
                .embedInCode("GatewayFiles/Resources/Caddyfile"), .embedInCode("GatewayFiles/Resources/dynamic.yaml"),
                .embedInCode("GatewayFiles/Resources/apisix.yaml"), .embedInCode("GatewayFiles/Resources/envoy_http.yaml"),
                .embedInCode("GatewayFiles/Resources/envoy_grpc.yaml"),
            ]),

        // For tests, of this package and of its users
        .target(
            name: "AssayTesting",
            dependencies: [
                "JWTCore", "JWTDecryption", "JWTSigning", "JWKSCache", "Locks", "COpenSSL",
                .byName(name: "Pictures", condition: .when(traits: ["IDaaS"])),
            ]),

        // Composition roots, and what they share
        .target(name: "Program", dependencies: ["CProgram"]),
        .target(name: "CommandProgram", dependencies: ["COpenSSL", "JWTCore", "Program", .argumentParser]),
        .executableTarget(
            name: "assay",
            dependencies: [
                "Locks", "CommandProgram", "DPoP", "JWTCore", "JWTDecryption", "JWSDocuments", "SelectiveDisclosure", "JWKSCache",
                "ReplayMemory",
                "TokenStatus", "SharedSignals", "AssayTesting", "Program", .argumentParser,
            ] + .logins),
        .executableTarget(
            name: "assay-gateway", dependencies: ["CommandProgram", "Gateway", "GatewayServer", "HTTPEdge", "Program", .argumentParser]),
        .executableTarget(
            name: "assay-idaas", dependencies: ["CommandProgram", "HTTPEdge", "IDaaSServer", "IDaaSWire", "Program", .argumentParser]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CommandProgram", "Locks", "DPoP", "JWTCore", "JWTDecryption", "SelectiveDisclosure", "JWKSCache", "Gateway", "JWTSigning",
                "AssayTesting", "COpenSSL", "CAffinity", "Program",
                .argumentParser, .histogram,
            ]),

        // Code that the documents quote
        .target(
            name: "Snippets",
            dependencies: [
                "JWTCore", "TokenStatus", "SelectiveDisclosure", "JWSDocuments", "DPoP", "ReplayMemory", "SharedSignals", "JWKSCache",
                "StatusListCache", "HTTPGuard", "Gateway", "IDaaSWire", "IDaaSFlows",
            ],
            path: "Examples/Snippets"),

        // An example to copy
        .target(
            name: "HummingbirdMiddleware",
            dependencies: [
                "JWTCore", "JWKSCache",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Gateway"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Gateway"])),
            ],
            path: "Examples/HummingbirdMiddleware/Sources"),

        // Tests
        .target(name: "CKernelAgreement", dependencies: ["CJWTKernels"], path: "Tests/Kernels/CKernelAgreement"),
        .target(name: "CCounts", path: "Tests/Probes/CCounts"),
        .target(name: "CForkCheck", dependencies: ["CReadCopyUpdate"], path: "Tests/Support/CForkCheck"),
        .target(name: "CErrorQueue", path: "Tests/Support/CErrorQueue", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CInstructionCount", path: "Tests/Probes/CInstructionCount"),
        .target(name: "JWTTestSupport", dependencies: ["Locks", "JWTCore", "JWTSigning", "CZlib"], path: "Tests/Support/JWTTestSupport"),
        .executableTarget(
            name: "allocation-probe",
            dependencies: [
                "JWKSCache", "JWTCore", "TokenStatus", "StatusListCache", "JWTTestSupport", "JWKSTestSupport", "CCounts", "Program",
            ],
            path: "Tests/Probes/Allocations"),
        .executableTarget(
            name: "hit-path-probe",
            dependencies: ["JWKSCache", "JWTCore", "JWTTestSupport", "JWKSTestSupport", "CInstructionCount", "Program"],
            path: "Tests/Probes/HitPath"),
        .executableTarget(
            name: "mutation-probe",
            dependencies: ["JWTCore", "SelectiveDisclosure", "JWSDocuments", "JWTSigning", "JWTTestSupport", "Program"],
            path: "Tests/Probes/Mutations"),
        .executableTarget(
            name: "kernel-differential", dependencies: ["CJWTKernels", "COpenSSL"], path: "Tests/Kernels/Differential",
            linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "key-cache-simulation",
            dependencies: [
                "Locks", "StatusListCache", "TokenStatus", "SharedSignals", "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport",
                "Program", "IDaaSServer", "GatewayServer", "Secrets",
            ],
            path: "Tests/Simulation", exclude: ["README.md"]),
        .testTarget(
            name: "JWTCoreTests",
            dependencies: [
                "Locks", "JWTCore", "JWTSigning", "JWTTestSupport", "CJWTKernels", "COpenSSL", "CJansson", "CKernelAgreement", "CForkCheck",
                "CErrorQueue",
            ]),
        .testTarget(
            name: "JWTDecryptionTests", dependencies: ["JWTDecryption", "JWTCore", "AssayTesting", "COpenSSL"],
            exclude: ["peers.py", "requirements.txt"]),
        .testTarget(
            name: "TokenStatusTests", dependencies: ["TokenStatus", "JWTCore", "JWTSigning", "JWTTestSupport", "CZlib"]),
        .testTarget(name: "DPoPTests", dependencies: ["DPoP", "ReplayMemory", "JWTCore", "JWTSigning", "JWTTestSupport", "CForkCheck"]),
        .testTarget(
            name: "StatusListCacheTests",
            dependencies: [
                "StatusListCache", "TokenStatus", "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport", "JWKSTestSupport",
            ]),
        .testTarget(name: "ReplayMemoryTests", dependencies: ["ReplayMemory", "JWTCore"]),
        .testTarget(name: "SharedReplayMemoryTests", dependencies: ["SharedReplayMemory", "ReplayMemory", "JWTCore"]),
        .testTarget(
            name: "SharedSignalsTests", dependencies: ["SharedSignals", "JWTCore", "JWTSigning", "JWTTestSupport"]),
        .target(
            name: "LoginSupport", dependencies: ["Locks", "IDaaSWire", "IDaaSFlows", "JWKSCache", "JWTCore", "AssayTesting"],
            path: "Tests/Support/LoginSupport"),
        .executableTarget(
            name: "login-walk",
            dependencies: ["LoginSupport", "IDaaSWire", "IDaaSFlows", "HTTPGuard", "JWKSCache", "JWTCore", "Program"],
            path: "Tests/Support/LoginWalk"),
        .executableTarget(
            name: "idaas-load", dependencies: ["LoginSupport", "IDaaSWire", "IDaaSFlows", "JWKSCache", "Program"],
            path: "Tests/Load/Logins", exclude: ["run.sh", "one-address.yaml"]),
        .executableTarget(
            name: "idaas-crash", dependencies: ["LoginSupport", "IDaaSWire", "IDaaSFlows", "JWKSCache", "Program"], path: "Tests/Load/Crash"
        ),
        .executableTarget(
            name: "interoperation-exchange",
            dependencies: ["AssayTesting", "SelectiveDisclosure", "JWSDocuments", "JWTCore", "JWTSigning", "Program"],
            path: "Tests/Interoperation/Exchange"),
        .executableTarget(
            name: "loopback-provider", dependencies: ["AssayTesting", "Program"], path: "Tests/Support/LoopbackProvider"),
        .target(
            name: "JWKSTestSupport", dependencies: ["Locks", "AssayTesting", "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport"],
            path: "Tests/Support/JWKSTestSupport"),
        .target(
            name: "TLSTestSupport", dependencies: ["Locks", "HTTPGuard", "JWTTestSupport"] + .tlsServer,
            path: "Tests/Support/TLSTestSupport"),
        .testTarget(
            name: "JWKSCacheTests",
            dependencies: [
                "Locks", "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport", "JWKSTestSupport", "CReadCopyUpdate", "CForkCheck",
                .metrics,
                .metricsTestKit, .logging,
            ]),
        .testTarget(
            name: "SelectiveDisclosureTests", dependencies: ["SelectiveDisclosure", "JWTCore", "JWTSigning", "JWTTestSupport"]),
        .testTarget(
            name: "JWSDocumentsTests", dependencies: ["JWSDocuments", "JWTCore", "JWTSigning", "JWTTestSupport"]),
        .testTarget(
            name: "AssayTestingTests",
            dependencies: [
                "AssayTesting", "SelectiveDisclosure", "JWSDocuments", "JWTDecryption", "DPoP", "HTTPGuard", "JWKSCache", "JWTCore",
            ]),
        .testTarget(
            name: "TaskTests",
            dependencies: [
                "AssayTesting", "HummingbirdMiddleware", "DPoP", "JWKSCache", "JWSDocuments", "JWTCore", "JWTDecryption",
                "SelectiveDisclosure", .metrics, .metricsTestKit,
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Gateway"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Gateway"])),
                .logging,
            ] + .embeddedChannel,
            path: "Examples/Tasks"),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "DPoP", "ReplayMemory", "StatusListCache", "JWKSCache", "JWTCore", "JWTDecryption", "JWTSigning",
                "JWTTestSupport", "JWKSTestSupport", "AssayTesting", "CForkCheck",
            ]),
        .testTarget(
            name: "HTTPGuardTests",
            dependencies: [
                "Locks", "HTTPGuard", "JWTCoreFoundation", "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport", "JWKSTestSupport",
                "AssayTesting", "TLSTestSupport", "IDaaSWire", "IDaaSFlows", "StatusListCache",
            ] + .tlsServer),
        .testTarget(name: "IDaaSWireTests", dependencies: ["IDaaSWire", "JWTCore"]),
        .testTarget(
            name: "IDaaSFlowsTests",
            dependencies: [
                "IDaaSWire", "IDaaSFlows", "HTTPGuard", "JWKSCache", "JWTCore", "JWTSigning", "Secrets", "JWTTestSupport",
                "JWKSTestSupport", "LoginSupport", "AssayTesting",
            ]),
        .testTarget(name: "HTTPEdgeTests", dependencies: ["HTTPEdge"] + .edge + .embeddedChannel),
        .testTarget(
            name: "GatewayServerTests",
            dependencies: [
                "Locks", "GatewayServer", "Gateway", "JWKSCache", "JWTCore", "JWTSigning", "JWTTestSupport",
                "JWKSTestSupport", "AssayTesting", "TLSTestSupport",
            ] + .gateway + .embeddedChannel + .sockets),
        .testTarget(name: "SliderTests", dependencies: ["IDaaSServer", "Pictures", "Secrets", "AssayTesting"]),
        .testTarget(name: "PicturesTests", dependencies: ["Pictures"]),
        .testTarget(name: "SecretsTests", dependencies: ["Secrets", "JWTSigning", "JWTCore", "COpenSSL"]),
        .target(
            name: "IDaaSTestSupport",
            dependencies: ["Locks", "IDaaSServer", "IDaaSWire", "JWTCore", "JWTSigning", "HTTPEdge", "Secrets"] + .server + .wireClient,
            path: "Tests/Support/IDaaSTestSupport"),
        .testTarget(
            name: "IDaaSServerTests",
            dependencies: [
                "Locks", "IDaaSServer", "IDaaSWire", "HTTPEdge", "IDaaSTestSupport", "JWTCore", "JWTSigning", "Secrets", "HTTPGuard",
                "TokenStatus", "SharedSignals", "AssayTesting", "Pictures", "JWTTestSupport", .metrics,
            ] + .server),
        .testTarget(
            name: "SecuritySentenceTests",
            dependencies: [
                "IDaaSServer", "IDaaSTestSupport", "IDaaSWire", "IDaaSFlows", "HTTPGuard", "JWKSCache", "JWTCore",
                "JWTSigning", "Secrets", "AssayTesting", "LoginSupport", "JWTTestSupport", "JWKSTestSupport",
            ] + .server,
            path: "Tests/Requirements", exclude: ["Contradictions.csv", "SDKMapping.csv", "SecuritySentences.csv", "mapping.py"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["JWTCore", "JWTDecryption", "SelectiveDisclosure", "JWSDocuments", "JWTTestSupport", "COpenSSL"],
            path: "Tests/Conformance"),
        .testTarget(
            name: "HummingbirdMiddlewareTests",
            dependencies: [
                "HummingbirdMiddleware", "JWTCore", "JWKSCache", "JWTTestSupport", "JWKSTestSupport",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Gateway"])),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Gateway"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Gateway"])),
            ] + .embeddedChannel,
            path: "Examples/HummingbirdMiddleware/Tests"),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "CommandProgram", "JWTCore", "JWTDecryption", "JWTSigning", "JWTTestSupport", "JWKSTestSupport", "AssayTesting", "assay",
                "assay-gateway", "assay-idaas", "bench",
            ],
            path: "Tests/CommandLine"),
    ]
)

extension Target.Dependency {
    static var argumentParser: Self {
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"]))
    }

    static var histogram: Self {
        .product(name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["CommandLine"]))
    }

    static var mustache: Self { .product(name: "Mustache", package: "swift-mustache", condition: .when(traits: ["IDaaS"])) }

    static var metrics: Self { .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])) }

    static var logging: Self { .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Metrics"])) }

    static var metricsTestKit: Self { .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])) }
}

extension [Target.Dependency] {
    /// The modules of the commands that need HTTP. Without that trait the verifier alone is compiled.
    static var logins: Self {
        ["HTTPGuard", "IDaaSWire", "IDaaSFlows", "Pictures"]
            .map { .byName(name: $0, condition: .when(traits: ["HTTP"])) }
    }

    /// The dependencies that only IDaaSServer may import.
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

    /// The dependencies of HTTPEdge.
    static var edge: Self {
        [
            ("HummingbirdCore", "hummingbird"), ("Logging", "swift-log"), ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"),
            ("NIOConcurrencyHelpers", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOExtras", "swift-nio-extras"),
            ("NIOHTTPTypes", "swift-nio-extras"), ("NIOHTTPTypesHTTP1", "swift-nio-extras"),
            ("ServiceLifecycle", "swift-service-lifecycle"),
        ]
        .map { .product(name: $0.0, package: $0.1, condition: .when(traits: ["HTTPServer"])) }
    }

    /// The dependencies that only GatewayServer may import.
    static var gateway: Self {
        [
            ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
            ("NIOHTTP2", "swift-nio-http2"), ("NIOHPACK", "swift-nio-http2"),
            ("ServiceLifecycle", "swift-service-lifecycle"), ("UnixSignals", "swift-service-lifecycle"), ("Logging", "swift-log"),
        ]
        .map { .product(name: $0.0, package: $0.1, condition: .when(traits: ["Gateway"])) }
            // Without the trait the module has only what fuzzers reach.
            + ["HTTPGuard", "HTTPEdge", "SharedSignals", "SharedReplayMemory", "Secrets", "CYAML"].map {
                .byName(name: $0, condition: .when(traits: ["Gateway"]))
            }
    }

    /// A channel without a socket. Tests advance its clock.
    static var embeddedChannel: Self {
        [.product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["HTTPServer"]))]
    }

    /// Clients of tests that write bytes.
    static var sockets: Self { [.product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTPServer"]))] }

    /// The HTTP client of tests of a running server, which shares no code with HTTPGuard.
    static var wireClient: Self { [.product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["IDaaS"]))] }

    /// The TLS server of TLSTestSupport and of HTTPGuard's tests.
    static var tlsServer: Self {
        [("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOSSL", "swift-nio-ssl")]
            .map { .product(name: $0.0, package: $0.1, condition: .when(traits: ["IDaaS"])) }
    }
}

/// The settings of every Swift target, including tests.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// Tests that compute little are compiled without optimization, in a third of the time. They test the modules of the release build.
let unoptimized: Set = [
    "IDaaSServerTests", "SecuritySentenceTests", "IDaaSFlowsTests", "HTTPGuardTests", "JWKSCacheTests", "CommandLineTests", "SecretsTests",
    "ConformanceTests", "PicturesTests", "HTTPEdgeTests", "HummingbirdMiddlewareTests", "GatewayTests", "GatewayServerTests",
    "JWTCoreTests", "JWTDecryptionTests", "DPoPTests", "TokenStatusTests", "StatusListCacheTests", "SharedSignalsTests",
    "ReplayMemoryTests", "SharedReplayMemoryTests", "SelectiveDisclosureTests", "JWSDocumentsTests",
    "AssayTestingTests", "TaskTests",
]

for target in package.targets where target.type == .test && target.path == nil { target.path = "Tests/Unit/\(target.name)" }

for target in package.targets where target.type != .system {
    target.swiftSettings = strict + (unoptimized.contains(target.name) ? [.unsafeFlags(["-Onone"])] : [])
}

extension Package {
    /// Keeps the named targets and what they depend on, without traits and other packages. Sanitizer builds compile no more than they run.
    func keep(only names: Set<String>) {
        var kept: Set<String> = [], open = names
        while let name = open.popFirst() {
            guard kept.insert(name).inserted, let target = targets.first(where: { $0.name == name }) else { continue }
            target.dependencies.removeAll { dependency in
                switch dependency {
                case .productItem, .byNameItem(_, .some): true
                default: false
                }
            }
            for case .byNameItem(let dependency, _) in target.dependencies { open.insert(dependency) }
        }
        targets.removeAll { !kept.contains($0.name) }
        products = []
        dependencies = []
        traits = []
    }
}

// ASSAY_TLS=0 leaves TLS out of the identity server. A demonstration on loopback needs none, and BoringSSL takes three minutes of a core.
if Context.environment["ASSAY_TLS"] == "0", let server = package.targets.first(where: { $0.name == "IDaaSServer" }) {
    server.dependencies.removeAll { dependency in
        if case .productItem(let name, _, _, _) = dependency { ["HummingbirdTLS", "NIOSSL"].contains(name) } else { false }
    }
    server.swiftSettings?.append(.define("WITHOUT_TLS"))
}

// ASSAY_TARGETS="JWTCoreTests JWKSCacheTests" limits the package to these targets. Of tests only those of thread safety are left, which
// ThreadSanitizer needs; they are not optimized.
if let names = Context.environment["ASSAY_TARGETS"] {
    package.keep(only: Set(names.split(separator: " ").map(String.init)))
    for target in package.targets where target.type == .test {
        target.sources = target.name == "JWKSCacheTests" ? ["ThreadSafety"] : ["Support", "ThreadSafety"]
        target.swiftSettings = strict + [.unsafeFlags(["-Onone"])]
    }
}
