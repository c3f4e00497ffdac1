// swift-tools-version: 6.2

import PackageDescription

// A separate package, because jwt-kit depends on BoringSSL, which takes minutes to build.
let package = Package(
    name: "jwt-kit-counts",
    dependencies: [
        .package(path: "../counting"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        .executableTarget(
            name: "jwt-kit-counts",
            dependencies: [
                .product(name: "CCounts", package: "counting"), .product(name: "Counting", package: "counting"),
                .product(name: "Fixtures", package: "counting"), .product(name: "JWTKit", package: "jwt-kit"),
            ])
    ]
)
