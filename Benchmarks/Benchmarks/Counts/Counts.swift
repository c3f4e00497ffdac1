import Benchmark
import Counting

/// Two benchmarks for each operation: its counts, which Thresholds/ limits, and its time, which has no limit.
let benchmarks: @Sendable () -> Void = {
    let exact = BenchmarkThresholds(), tolerant = BenchmarkThresholds(relative: [.p90: 5])
    let counted = ["allocations", "retains", "releases", Counting.Counts.instructionsName].map { BenchmarkMetric.custom($0) }
    let thresholds = Dictionary(uniqueKeysWithValues: zip(counted, [exact, exact, exact, tolerant]))

    guard let operations = try? Counting.Operation.all() else { fatalError("the fixtures in vectors/ cannot be read") }
    for operation in operations {
        nonisolated(unsafe) let operation = operation
        Benchmark(
            operation.name,
            configuration: .init(metrics: counted, warmupIterations: 0, maxIterations: 1, thresholds: thresholds)
        ) { benchmark in
            let counts = operation.counts()
            guard operation.isAsExpected else { return benchmark.error("\(operation.name): \(operation.outcome)") }
            for (name, count) in counts.named { benchmark.measurement(.custom(name), count) }
        }
        Benchmark(
            "\(operation.name)-time",
            configuration: .init(metrics: [.wallClock, .throughput], warmupIterations: 1, scalingFactor: .kilo, maxDuration: .seconds(1))
        ) { benchmark in
            for _ in benchmark.scaledIterations { operation.run() }
        }
    }
}
