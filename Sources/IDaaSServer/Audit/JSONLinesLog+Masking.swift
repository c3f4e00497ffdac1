package import HTTPEdge
internal import IDaaSWire
package import Logging

extension JSONLinesLog {
    /// A log on the server's clock. Numbers of seven digits or more are always masked, because a log line may quote a request.
    package init(
        label: String, level: Logger.Level = .info, clock: any ServerClock,
        write: @escaping @Sendable (String) -> Void = JSONLinesLog.standardError
    ) {
        self.init(
            label: label, level: level, milliseconds: { clock.now.milliseconds }, masked: { Masked.numbers(in: $0) }, write: write)
    }
}
