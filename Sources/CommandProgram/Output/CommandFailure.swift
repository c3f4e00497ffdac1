#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A failure that ends the command with a message for the user.
///
/// Exit codes: 0 success, 1 refused, 2 wrong usage or a file that cannot be read or written, 3 keys unavailable, 4 an address that
/// cannot be listened on or a database that does not answer, 5 the system has too few descriptors or threads or too little memory, 141 standard
/// output was closed by its reader.
package struct CommandFailure: Error {
    /// The message on standard error.
    package let message: String
    package let exitCode: Int32
    /// The name of the failure in the document that `--json` prints: scripts depend on it.
    package let code: String
    /// The message without its prefix.
    package let reason: String
    /// Whether the command has printed its JSON document already.
    package var isReported = false

    package static let failedOutput: Int32 = 2
    /// 128 + SIGPIPE.
    package static let brokenPipe: Int32 = 141

    package init(message: String, exitCode: Int32, code: String = "failed", reason: String? = nil, isReported: Bool = false) {
        self.message = message
        self.exitCode = exitCode
        self.code = code
        self.reason = reason ?? message
        self.isReported = isReported
    }

    package static func usage(_ reason: String) -> Self { error(reason, exitCode: 2, code: "usage") }
    package static func keysUnavailable(_ reason: String) -> Self {
        Self(message: "keys_unavailable: \(reason)", exitCode: 3, code: "keys_unavailable", reason: reason)
    }
    package static func unavailable(_ reason: String, code: String = "address_unavailable") -> Self {
        error(reason, exitCode: 4, code: code)
    }
    package static func failed(_ reason: String) -> Self { error(reason, exitCode: 1, code: "failed") }

    package static func error(_ reason: String, exitCode: Int32, code: String) -> Self {
        Self(message: "Error: \(reason)", exitCode: exitCode, code: code, reason: reason)
    }

    /// A system call that failed with the error `number`.
    package static func system(_ what: String, _ number: Int32) -> Self {
        error("\(what): \(systemReason(number))", exitCode: 2, code: "file")
    }

    /// The system's words for the error `number`.
    package static func systemReason(_ number: Int32) -> String {
        // SAFETY: strerror returns a string that does not change until this thread calls it again.
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }

    /// The document that `--json` prints.
    package var document: String { "{\"code\":\(quoted(code)),\"exit_code\":\(exitCode),\"reason\":\(quoted(reason))}" }
}
