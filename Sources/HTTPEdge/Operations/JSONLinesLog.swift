internal import JWTCore
package import Logging

/// The application's log: one JSON object per line, by default on standard error.
package struct JSONLinesLog: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let milliseconds: @Sendable () -> Int64
    private let masked: @Sendable (String) -> String
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - milliseconds: the date, since 1970-01-01 UTC.
    ///   - masked: changes messages and values before they are written, except `request_id`.
    ///   - write: writes a line with its line end.
    package init(
        label: String, level: Logger.Level = .info, milliseconds: @escaping @Sendable () -> Int64 = JSONLinesLog.systemMilliseconds,
        masked: @escaping @Sendable (String) -> String = { $0 }, write: @escaping @Sendable (String) -> Void = JSONLinesLog.standardError
    ) {
        self.label = label
        logLevel = level
        self.milliseconds = milliseconds
        self.masked = masked
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { write(line(event.level, event.message.description, merged(event.metadata))) }

    /// A line with its line end.
    package func line(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> String {
        var line = ""
        line.reserveCapacity(512)
        line += "{\"time\":\""
        line += ISOTime.text(milliseconds: milliseconds())
        line += "\",\"level\":\""
        line += level.rawValue
        line += "\""
        Self.append("logger", label, to: &line)
        Self.append("message", masked(message), to: &line)
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            Self.append(name, name == "request_id" ? value.description : masked(value.description), to: &line)
        }
        line += "}\n"
        return line
    }

    private func merged(_ own: Logger.Metadata?) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        guard let own else { return all }
        return all.isEmpty ? own : all.merging(own) { _, new in new }
    }

    private static func append(_ name: String, _ value: String, to line: inout String) {
        line += ","
        QuotedText.appendJSON(name, to: &line)
        line += ":"
        QuotedText.appendJSON(value, to: &line)
    }

    package static let systemMilliseconds: @Sendable () -> Int64 = { milliseconds(of: SystemClock().now) }

    private static func milliseconds(of date: NumericDate) -> Int64 { date.seconds * 1_000 + Int64(date.nanoseconds) / 1_000_000 }

    /// Waits until the line is written.
    package static let standardError: @Sendable (String) -> Void = { StandardError.write(Array($0.utf8)) }
}
