import Foundation
import HTTPEdge
import IDaaSServer
import Metrics
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

    @Test
    func theProcessIsToldUnderPrometheusNames() throws {
        let names = [
            "process_cpu_seconds_total counter", "process_max_fds gauge", "process_open_fds gauge", "process_resident_memory_bytes gauge",
            "process_start_time_seconds gauge",
        ]
        let process = ProcessMetrics()
        let types = process.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { String($0.dropFirst(7)) }
        #expect(types == names)
        #expect(try Self.value("process_max_fds", process) > Self.value("process_open_fds", process))
        let start = try Self.value("process_start_time_seconds", process)
        #expect(start < Date().timeIntervalSince1970 && start > Date().timeIntervalSince1970 - 86_400)
        #expect(try Self.value("process_start_time_seconds", process) == start)
    }

    /// Other tests open and close files in the same process meanwhile, so the number is large.
    @Test
    func openFilesAndProcessorTimeAreCounted() throws {
        let process = ProcessMetrics()
        let before = try Self.values(process)
        let files = try (0..<2_000).map { _ in try #require(FileHandle(forReadingAtPath: "/dev/null")) }
        let after = try Self.values(process)
        #expect(after[0] >= before[0] + 1_000)
        #expect(after[1] >= before[1])
        for file in files { try file.close() }
    }

    /// Other tests allocate and free memory meanwhile: what the system says at one of many moments is within what it says around it.
    @Test
    func residentMemoryIsWhatTheSystemSays() throws {
        let process = ProcessMetrics()
        let isBetween = try (0..<1_000).contains { _ in
            let before = try Self.residentBytes(), found = try Self.value("process_resident_memory_bytes", process)
            let after = try Self.residentBytes()
            return (min(before, after)...max(before, after)).contains(found)
        }
        #expect(isBetween)
    }

    /// The second field of `statm` counts pages (proc(5)).
    private static func residentBytes() throws -> Double {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Double(fields[1])) * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func values(_ process: ProcessMetrics) throws -> [Double] {
        try ["process_open_fds", "process_cpu_seconds_total"].map { try value($0, process) }
    }

    private static func value(_ name: String, _ process: ProcessMetrics) throws -> Double {
        let line = try #require(process.text.split(separator: "\n").first { $0.hasPrefix(name + " ") })
        return try #require(Double(line.dropFirst(name.count + 1)))
    }
}
