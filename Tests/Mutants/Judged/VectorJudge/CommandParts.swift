import Foundation
import JWTCore

// What the readers of the vectors need of the command.

enum CommandFailure: Error {
    case usage(String)

    static func sentence(for error: any Error) -> String { "\(error)" }
}

enum Terminal {
    static var error: Self.Type { self }

    static func line(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

enum WycheproofKeys {
    static func unavailable(_ algorithm: SignatureAlgorithm) -> String { algorithm.name }
}

func printable(_ text: String) -> String { text }

extension NumericDate {
    /// The date of a positive number of seconds without an exponent, with at most nine decimals.
    init?(decimal text: String) {
        let parts = text.split(separator: ".")
        guard let seconds = Int64(parts[0]) else { return nil }
        let fraction = parts.count > 1 ? parts[1] : ""
        self.init(seconds: seconds, nanoseconds: UInt32(fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0)
    }
}
