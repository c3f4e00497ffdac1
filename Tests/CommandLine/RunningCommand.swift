import Foundation
import JWTTestSupport
import Testing

/// A running assay command. Lines go in and come out one by one, through pipes in a folder. It ends when this object is freed.
final class RunningCommand {
    private let folder: TemporaryFolder
    private let input: FileHandle
    private let output: Int32
    private let process: String
    private var received: [UInt8] = []

    /// - Parameter variables: as in a shell, such as `NAME=value`.
    init(_ arguments: [String], variables: String = "") throws {
        folder = try TemporaryFolder()
        let (path, command) = (folder.path, "env \(variables) \(Command.line(arguments))")
        // A pipe that is open for reading and writing does not block until the other end opens. The timeout ends a forgotten command.
        let start = "timeout 600 \(command) <>\(path)/input >&3 2>\(path)/errors & echo $! >\(path)/process"
        try #require(Shell.run("mkfifo \(path)/input \(path)/output && { exec 3<>\(path)/output; \(start); }") == 0)
        input = try #require(FileHandle(forUpdatingAtPath: "\(path)/input"))
        // The command has opened its end already, or has ended, so this does not wait.
        output = unsafe open("\(path)/output", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(output >= 0 && fcntl(output, F_SETFL, 0) == 0)
        process = folder.read("process").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        _ = Shell.run("kill \(process)")
        close(output)
    }

    func write(_ line: String) throws { try input.write(contentsOf: Data((line + "\n").utf8)) }

    func signal(_ name: String) { _ = Shell.run("kill -\(name) \(process)") }

    /// What it has written to standard error so far.
    var errors: String { folder.read("errors") }

    /// Waits until standard error has `text`; at most a minute.
    func says(_ text: String) -> Bool {
        for _ in 0..<1_200 {
            if errors.contains(text) { return true }
            usleep(50_000)
        }
        return false
    }

    /// Waits for the next line that contains `text` and returns it.
    func line(containing text: String) throws -> String {
        while true {
            while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end + 1)
                if line.contains(text) || text.isEmpty { return line }
            }
            received += try more()
        }
    }

    /// Reads the available bytes. A `FileHandle` would wait for the whole requested length.
    private func more() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(output, &buffer, buffer.count)
        try #require(count > 0, "the command ended: \(folder.read("errors"))")
        return Array(buffer.prefix(count))
    }
}
