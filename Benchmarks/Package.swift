// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "assay-benchmarks",
    dependencies: [
        .package(path: "counting"),
        // Without its interposers: `counting` counts instead, see README.md.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Counts",
            dependencies: [.product(name: "Counting", package: "counting"), .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/Counts",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
