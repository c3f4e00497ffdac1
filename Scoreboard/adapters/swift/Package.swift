// swift-tools-version: 6.2

import PackageDescription

// The version is exact, because the page names it.
let package = Package(
    name: "adapter",
    dependencies: [.package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1")],
    targets: [.executableTarget(name: "adapter", dependencies: [.product(name: "JWTKit", package: "jwt-kit")])]
)
