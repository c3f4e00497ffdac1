// swift-tools-version: 6.2

import PackageDescription

// Clients that use only the library, and the testing kit: they resolve no other package, and the first links neither Foundation nor NIO. See
// run.sh.
let package = Package(
    name: "LinkageTest",
    dependencies: [.package(name: "assay", path: "../../..", traits: ["HTTP"])],
    targets: [
        .executableTarget(name: "LinkageTest", dependencies: [.product(name: "JWTCore", package: "assay")]),
        .executableTarget(
            name: "TestingKit",
            dependencies: [.product(name: "JWTCore", package: "assay"), .product(name: "AssayTesting", package: "assay")]),
    ]
)
