// swift-tools-version: 6.2

import PackageDescription

// libFuzzer targets, each with the product that it fuzzes. Built and run by scripts/fuzz.sh, under AddressSanitizer.
let core = [
    ("TokenFuzzer", "JWTCore"), ("HeaderFuzzer", "JWTCore"), ("PayloadFuzzer", "JWTCore"), ("ClaimsFuzzer", "JWTCore"),
    ("JSONFuzzer", "JWTCore"), ("KeySetFuzzer", "JWTCore"), ("BatchFuzzer", "JWTCore"), ("CacheFuzzer", "JWTCore"),
    ("DiscoveryFuzzer", "JWKSCache"), ("ResponseFuzzer", "JWKSCache"), ("FetchFuzzer", "CAssay"), ("InterfaceFuzzer", "CAssay"),
    ("ProofFuzzer", "DPoP"), ("EncryptedTokenFuzzer", "JWTDecryption"), ("PresentationFuzzer", "SelectiveDisclosure"),
    ("DocumentFuzzer", "JWSDocuments"), ("IntrospectionFuzzer", "Gateway"), ("CheckRequestFuzzer", "GatewayServer"),
    ("DecisionFuzzer", "Gateway"), ("FlowFuzzer", "IDaaSFlows"),
]

// The servers need other packages, which take twenty minutes to compile under sanitizers. ASSAY_FUZZ_SERVERS=1 builds them.
let withServers = Context.environment["ASSAY_FUZZ_SERVERS"].map { !$0.isEmpty } ?? false
let servers = withServers ? [("ConfigurationFuzzer", "GatewayServer"), ("RequestFuzzer", "IDaaSServer")] : []

/// Fuzzers reach what the modules of Assay share among themselves: the compiler must take them for a part of that package.
let packageName = String(
    (Context.packageDirectory.split(separator: "/").dropLast().last ?? "assay").lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
let settings: [SwiftSetting] = [
    .enableExperimentalFeature("Lifetimes"), .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "assay", path: "..", traits: withServers ? ["Gateway", "IDaaS"] : [])],
    targets: [
        .target(name: "CFuzzDriver"),
        .target(
            name: "FuzzInput", dependencies: ["CFuzzDriver", .product(name: "AssayTesting", package: "assay")], packageAccess: false,
            swiftSettings: settings + [.unsafeFlags(["-package-name", packageName])]),
    ]
        + (core + servers).map { name, product in
            .executableTarget(
                name: name,
                dependencies: [
                    "FuzzInput", .product(name: "AssayTesting", package: "assay"), .product(name: product, package: "assay"),
                ],
                packageAccess: false,
                swiftSettings: settings + [.unsafeFlags(["-package-name", packageName])],
                linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
            )
        }
)
