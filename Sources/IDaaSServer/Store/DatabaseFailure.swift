/// Why a database cannot be opened, made or copied to. The path is the one that the caller gave.
public struct DatabaseFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Code
    public let path: String
    /// The error of the operating system, or the schema of the file; empty if the code is enough.
    public let detail: String

    /// Stable: audit events and scripts use it.
    public enum Code: String, Hashable, Sendable {
        /// There is no file, and the caller does not create one.
        case missing = "database_missing"
        /// A directory, a device, a pipe.
        case notAFile = "database_not_a_file"
        case empty = "database_empty"
        /// A file that is not an SQLite database, or a database of another program.
        case foreign = "database_foreign"
        /// A later version of this program changed the schema.
        case newer = "database_newer"
        /// A new file was requested, but the name is taken.
        case exists = "database_exists"
        /// The operating system refuses access.
        case refused = "database_refused"
        /// Another server serves from the file.
        case served = "database_served"
    }

    init(_ code: Code, _ path: String, _ detail: String = "") {
        self.code = code
        self.path = path
        self.detail = detail
    }

    public var description: String {
        switch code {
        case .missing: "there is no database at \(path); only the server makes one"
        case .notAFile: "\(path) is not a regular file"
        case .empty: "\(path) is empty, so the database that was here is lost; restore a backup, or remove the file to begin anew"
        case .foreign: "\(path) is not a database of this server"
        case .newer: "a later version of this server wrote \(path): its schema is “\(detail)”, the last known here “\(Schema.newest)”"
        case .exists: "\(path) exists, and nothing is ever replaced"
        case .refused: "\(path): \(detail)"
        case .served: "another server serves from \(path)\(detail.isEmpty ? "" : ": \(detail)"); each needs a database of its own"
        }
    }
}
