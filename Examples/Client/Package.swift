// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "gate",
    dependencies: [.package(url: "https://example.org/assay.git", branch: "main", traits: [])],
    targets: [.executableTarget(name: "gate", dependencies: [.product(name: "JWTCore", package: "assay")])]
)
