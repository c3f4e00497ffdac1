#if IDaaS
public import Logging
internal import Foundation

/// The application's log: one JSON object a line, on standard error unless told otherwise. Numbers of seven digits or more are masked
/// wherever they stand, because a log line may quote what a request said.
public struct LineLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let clock: any ServerClock
    private let write: @Sendable (String) -> Void

    public init(
        label: String, level: Logger.Level = .info, clock: any ServerClock = SystemClock(),
        write: @escaping @Sendable (String) -> Void = LineLogHandler.standardError
    ) {
        self.label = label
        logLevel = level
        self.clock = clock
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var members: [(String, JSON)] = [
            ("time", .string(ISOTime.text(clock.now))), ("level", .string(event.level.rawValue)), ("logger", .string(label)),
            ("message", .string(Masked.numbers(in: event.message.description))),
        ]
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { _, new in new }.merging(event.metadata ?? [:]) { _, new in new }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            members.append((name, .string(name == "request_id" ? value.description : Masked.numbers(in: value.description))))
        }
        write(JSON.object(members).text + "\n")
    }

    /// One system call a line, so that lines of several threads do not mix.
    public static let standardError: @Sendable (String) -> Void = { line in
        let bytes = Array(line.utf8)
        var start = 0
        while start < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(2, $0.baseAddress! + start, $0.count - start) }
            guard written > 0 else { return }
            start += written
        }
    }
}
#endif
