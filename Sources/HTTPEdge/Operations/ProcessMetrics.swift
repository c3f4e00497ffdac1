internal import JWTCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// What the system counts of this process, under the names that Prometheus' client libraries use.
package struct ProcessMetrics: Sendable {
    /// Seconds since 1970-01-01 UTC. Read once: a start that moves with the clock would look like a restart.
    private let start = ProcessMetrics.startSeconds

    package init() {}

    /// Prometheus text format 0.0.4. A value that the system does not tell is left out.
    package var text: String {
        let samples: [(name: String, kind: Series.Kind, value: Double?)] = [
            ("process_cpu_seconds_total", .counter, Self.processorSeconds),
            ("process_max_fds", .gauge, Self.descriptorLimit),
            ("process_open_fds", .gauge, Self.openDescriptors),
            ("process_resident_memory_bytes", .gauge, Self.residentBytes),
            ("process_start_time_seconds", .gauge, start),
        ]
        return samples.reduce(into: "") { text, sample in
            guard let value = sample.value else { return }
            text += "# TYPE \(sample.name) \(sample.kind.rawValue)\n\(sample.name) \(Series.number(value))\n"
        }
    }

    /// Of all threads, in user and in system mode.
    private static var processorSeconds: Double? { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func seconds(of clock: clockid_t) -> Double? {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var descriptorLimit: Double? {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        return unsafe getrlimit(resource, &limit) == 0 ? Double(limit.rlim_cur) : nil
    }
}

// The files of proc(5). Other systems than Linux have none.
extension ProcessMetrics {
    /// Without the descriptor that lists them.
    private static var openDescriptors: Double? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Not counted: the entries of the folder and of the one above it.
        return Double(count - 3)
    }

    private static var residentBytes: Double? {
        guard let fields = fields(of: "/proc/self/statm"), fields.count > 1 else { return nil }
        return Double(fields[1]).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// The system counts from its boot. The difference of two clocks makes that a date, because a sandbox may hide the date of the boot in
    /// /proc/stat.
    private static var startSeconds: Double? {
        #if os(Linux)
        guard let fields = fields(of: "/proc/self/stat"), fields.count > startField, let ticks = Double(fields[startField]),
            let sinceBoot = seconds(of: CLOCK_BOOTTIME), let now = seconds(of: CLOCK_REALTIME)
        else { return nil }
        return now - sinceBoot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        #else
        return nil
        #endif
    }

    /// The index of `starttime` behind the program's name, which may contain spaces and brackets.
    private static let startField = 19

    /// The fields of a file; of /proc/self/stat those behind the program's name.
    private static func fields(of path: String) -> [Substring]? {
        guard let bytes = DescriptorBytes.read(path: path, upTo: 4_096) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let start = text.lastIndex(of: ")").map(text.index(after:)) ?? text.startIndex
        return text[start...].split { $0 == " " || $0 == "\n" }
    }
}
