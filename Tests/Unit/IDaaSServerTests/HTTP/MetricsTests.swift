#if IDaaS
import IDaaSServer
import Metrics
import Operations
import Testing

struct MetricsTests {
    @Test
    func theTextIsWhatTheExpositionFormatAsksFor() {
        let metrics = TextMetrics()
        Counter(label: "b.total", dimensions: [("z", "a\"\\\n"), ("a-b", "1")], factory: metrics).increment(by: 3)
        Counter(label: "b.total", dimensions: [("z", "2"), ("a-b", "1")], factory: metrics).increment()
        Meter(label: "a_gauge", factory: metrics).set(1.5)
        let timer = Timer(label: "took_seconds", factory: metrics)
        timer.recordNanoseconds(1_000_000)
        timer.recordNanoseconds(30_000_000)
        timer.recordNanoseconds(60_000_000_000)
        let lines = metrics.text.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(5) == [
                "# TYPE a_gauge gauge", "a_gauge 1.5", "# TYPE b_total counter", #"b_total{a_b="1",z="2"} 1"#,
                #"b_total{a_b="1",z="a\"\\\n"} 3"#,
            ])
        #expect(lines[5] == "# TYPE took_seconds histogram")
        #expect(lines.contains(#"took_seconds_bucket{le="0.0005"} 0"#))
        #expect(lines.contains(#"took_seconds_bucket{le="0.001"} 1"#))
        #expect(lines.contains(#"took_seconds_bucket{le="0.05"} 2"#))
        #expect(lines.contains(#"took_seconds_bucket{le="10"} 2"#))
        #expect(lines.contains(#"took_seconds_bucket{le="+Inf"} 3"#))
        #expect(lines.contains("took_seconds_sum 60.031"))
        #expect(lines.last == "took_seconds_count 3")
    }

    @Test
    func aSeriesIsOneHoweverOftenItIsMadeAndGoneWhenDestroyed() {
        let metrics = TextMetrics()
        for _ in 0..<1_000 { Counter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: metrics).increment() }
        for _ in 0..<1_000 { Counter(label: "c", dimensions: [("b", "2"), ("a", "1")], factory: metrics).increment() }
        #expect(metrics.text == "# TYPE c counter\nc{a=\"1\",b=\"2\"} 2000\n")
        Counter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: metrics).destroy()
        #expect(metrics.text == "")
    }

    @Test
    func threadsThatCountTogetherLoseNothing() async {
        let metrics = TextMetrics()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1_000 { Counter(label: "c", factory: metrics).increment() } }
            }
        }
        #expect(metrics.text.hasSuffix("c 8000\n"))
    }
}
#endif
