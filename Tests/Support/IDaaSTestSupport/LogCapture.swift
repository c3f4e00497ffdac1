internal import HTTPEdge
package import IDaaSServer
internal import JWTCore
import Locks
package import Logging

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
