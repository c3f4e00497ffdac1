import ArgumentParser
import Foundation

/// Where a token comes from: the argument, or standard input, so that it never needs to show in a process list.
enum TokenInput {
    /// The token: `argument`, or all of standard input for "-" or nothing, without the white space around it.
    static func token(_ argument: String?) throws -> String {
        if let argument, argument != "-" { return argument }
        let data = FileHandle.standardInput.readDataToEndOfFile()
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else { throw CommandFailure.usage("no token: give one as an argument or on standard input") }
        return token
    }

    /// The lines of `path`, or of standard input for "-".
    static func lines(_ path: String) throws -> [Substring] {
        let data: Data
        if path == "-" {
            data = FileHandle.standardInput.readDataToEndOfFile()
        } else {
            guard let contents = FileManager.default.contents(atPath: path) else { throw CommandFailure.usage("cannot read \(path)") }
            data = contents
        }
        var lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines.map { $0.hasSuffix("\r") ? $0.dropLast() : $0 }
    }
}
