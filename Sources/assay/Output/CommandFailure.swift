import Foundation

/// A failure that ends the command with a message for the user.
///
/// Exit codes: 0 success, 1 refused, 2 wrong usage or a file that cannot be read or written, 3 keys unavailable, 4 an address that
/// cannot be listened on, 141 standard output was closed by its reader.
struct CommandFailure: Error {
    let message: String
    let exitCode: Int32

    static let failedOutput: Int32 = 2
    /// 128 + SIGPIPE.
    static let brokenPipe: Int32 = 141

    static func usage(_ message: String) -> Self { Self(message: "Error: \(message)", exitCode: 2) }
    static func keysUnavailable(_ message: String) -> Self { Self(message: "keys_unavailable: \(message)", exitCode: 3) }
    static func unavailable(_ message: String) -> Self { Self(message: "Error: \(message)", exitCode: 4) }

    /// A system call that failed with the error `number`.
    static func system(_ what: String, _ number: Int32) -> Self {
        // SAFETY: strerror returns a string that does not change until this thread calls it again.
        let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        return .usage("\(what): \(reason)")
    }
}
