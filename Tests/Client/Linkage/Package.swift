// swift-tools-version: 6.2

import PackageDescription

// A client that uses only the library: it resolves no other package, and links neither Foundation nor NIO. See run.sh.
let package = Package(
    name: "LinkageTest",
    dependencies: [.package(name: "assay", path: "../../..", traits: [])],
    targets: [.executableTarget(name: "LinkageTest", dependencies: [.product(name: "JWTCore", package: "assay")])]
)
