// swift-tools-version: 6.2

import PackageDescription

// What a user of the library alone sees: no other package is resolved, and neither Foundation nor NIO is linked. See run.sh.
let package = Package(
    name: "LinkageTest",
    dependencies: [.package(name: "assay", path: "../..", traits: [])],
    targets: [.executableTarget(name: "LinkageTest", dependencies: [.product(name: "JWTCore", package: "assay")])]
)
