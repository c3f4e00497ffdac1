internal import Program

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Errors in words for the user: never a dump of a value, of an SQL statement or of Cocoa's user info.
extension CommandFailure {
    /// The failure for an error that no command expects. Its exit code is not 1, which says that a token is refused.
    package init(_ error: any Error) {
        self = error as? CommandFailure ?? Self.ofMemory(error) ?? .error(Self.sentence(for: error), exitCode: 2, code: "failed")
    }

    /// The failure for a database without memory (`SQLITE_NOMEM`). Nil for any other error.
    package static func ofMemory(_ error: any Error) -> CommandFailure? {
        guard error._domain == sqliteDomain, error._code & 0xff == outOfMemory else { return nil }
        return .memoryShortage
    }

    /// Memory that was refused after the program had begun.
    package static var memoryShortage: CommandFailure { .error(lackOfMemory, exitCode: ProgramResources.exitCode, code: "resource") }

    /// Threads that were refused after the program had begun.
    package static var threadShortage: CommandFailure {
        .error("this program needs more threads: \(systemReason(EAGAIN))", exitCode: ProgramResources.exitCode, code: "resource")
    }

    private static let sqliteDomain = "GRDB.DatabaseError", outOfMemory = 7
    private static var lackOfMemory: String { "this program needs more memory: \(systemReason(ENOMEM))" }

    package static func sentence(for error: any Error) -> String {
        if let error = error as? DecodingError { return sentence(for: error) }
        switch error._domain {
        case "NSCocoaErrorDomain", "NSPOSIXErrorDomain": return sentence(forFile: error)
        case sqliteDomain: return sentence(forSQLite: error._code)
        default: break
        }
        // The project's own errors have a sentence as their description. That of any other error may hold what it was about.
        // Where Foundation is linked, every error can be cast to one with a description, so the type is asked.
        guard type(of: error) is any CustomStringConvertible.Type else { return "an unexpected failure of the kind \(type(of: error))" }
        return "\(error)"
    }

    /// The place of a JSON document that has another format, and the reason.
    private static func sentence(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "the member \(path(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "the member \(path(context.codingPath)) has another type"
        case .dataCorrupted(let context): "the member \(path(context.codingPath)) cannot be read"
        @unknown default: "its JSON has another format"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    /// Errors of Foundation, which only some programs link.
    private static func sentence(forFile error: any Error) -> String {
        let path = (error._userInfo as? [String: Any])?["NSFilePath"] as? String
        let reason = underlyingNumber(error).map(systemReason) ?? "the file cannot be used"
        return path.map { "\($0): \(reason)" } ?? reason
    }

    private static func underlyingNumber(_ error: any Error) -> Int32? {
        if error._domain == "NSPOSIXErrorDomain" { return Int32(exactly: error._code) }
        return ((error._userInfo as? [String: Any])?["NSUnderlyingError"] as? any Error).flatMap(underlyingNumber)
    }

    /// The primary result codes of SQLite (https://www.sqlite.org/rescode.html) that an operator can act on.
    private static func sentence(forSQLite code: Int) -> String {
        switch code & 0xff {
        case 3, 8, 23: "the database: Permission denied"
        case 5, 6: "another process holds the database: try again"
        case outOfMemory: lackOfMemory
        case 10: "the database cannot be read or written: the disk reports an error"
        case 11, 26: "the database is damaged: restore a backup"
        case 13: "the database cannot grow: No space left on device"
        case 14: "the database cannot be opened: its file or folder is not accessible"
        case 19: "the database has an entry of this name already"
        default: "SQLite refuses the operation with its result code \(code)"
        }
    }
}
