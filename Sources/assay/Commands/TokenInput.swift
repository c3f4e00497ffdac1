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

    /// The lines of `path`, or of standard input for "-", each as soon as it is complete.
    static func lines(_ path: String) throws -> Lines {
        guard let file = unsafe path == "-" ? fdopen(0, "r") : fopen(path, "re") else { throw CommandFailure.usage("cannot read \(path)") }
        return unsafe Lines(file)
    }

    /// The lines of a stream, without their ends.
    @safe
    struct Lines {
        // SAFETY: open for as long as the command runs.
        private let file: UnsafeMutablePointer<FILE>

        fileprivate init(_ file: UnsafeMutablePointer<FILE>) { unsafe self.file = file }

        mutating func next() -> String? {
            var line: UnsafeMutablePointer<CChar>?
            var capacity = 0
            defer { unsafe free(line) }
            let count = unsafe getline(&line, &capacity, file)
            guard count > 0, let start = unsafe line else { return nil }
            var bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
