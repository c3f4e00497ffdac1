#if IDaaS
package import IDaaSServer
internal import JWTCore
package import Logging

/// Keeps what a server logs, as it would stand in its log.
package final class LogCapture: Sendable {
    private let kept = Locked<[String]>([])

    package init() {}

    package var lines: [String] { kept.withLock { $0 } }

    package func logger(level: Logger.Level = .trace, clock: any ServerClock = SystemClock()) -> Logger {
        Logger(label: "idaas") { label in
            LineLogHandler(label: label, level: level, clock: clock) { line in self.kept.withLock { $0.append(line) } }
        }
    }
}
#endif
