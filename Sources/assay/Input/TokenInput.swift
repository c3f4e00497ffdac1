import CommandProgram
import JWTCore

/// The source of a token: the argument, or standard input, which keeps the token out of process lists.
enum TokenInput {
    /// The maximum size of a token in bytes.
    static let limit = TokenLimits.standard.tokenBytes
    /// The maximum white space around a token on standard input, for line ends and indentation.
    private static let mostWhitespace = 1_024

    /// The token: `argument`, or standard input if it is "-" or nil, without surrounding white space.
    ///
    /// - Parameter limit: the most bytes that the verifier takes.
    ///
    /// Only the beginning of a longer input is read; the verifier refuses it as `token_too_large`.
    static func token(_ argument: String?, limit: Int = limit) throws(CommandFailure) -> [UInt8] {
        if let argument, argument != "-" { return Array(argument.utf8) }
        let bytes = try InputFile().contents(upTo: limit + mostWhitespace)
        guard bytes.count <= limit + mostWhitespace else { return bytes }
        let token = bytes.drop(while: isWhitespace).reversed().drop(while: isWhitespace).reversed()
        guard !token.isEmpty else { throw .usage("no token: give one as an argument or on standard input") }
        return Array(token)
    }

    /// The lines of the file at `path`, or of standard input for "-".
    static func lines(_ path: String) throws(CommandFailure) -> TokenLines {
        TokenLines(path == "-" ? InputFile() : try InputFile(path: path), limit: limit)
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
