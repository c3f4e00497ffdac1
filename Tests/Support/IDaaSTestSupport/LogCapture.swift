#if IDaaS
import Locks
package import IDaaSServer
internal import JWTCore
package import Logging
internal import HTTPEdge

/// Records a server's log output.
package final class LogCapture: Sendable {
    private let kept = Locked<[String]>([])

    package init() {}

    package var lines: [String] { kept.withLock { $0 } }

    package func logger(level: Logger.Level = .trace, clock: any ServerClock = SystemServerClock()) -> Logger {
        Logger(label: "idaas") { label in
            JSONLinesLog(label: label, level: level, clock: clock) { line in self.kept.withLock { $0.append(line) } }
        }
    }
}
#endif
