internal import Foundation

/// The administration command of a server, with the options of its database.
public struct AdministrationCommand: Sendable {
    private let command: String
    private let options: [String]
    private let environment: [String: String]?

    /// - Parameters:
    ///   - command: the path of `assay`.
    ///   - options: follow the arguments of each call, such as `--db FILE`.
    ///   - environment: nil means that of this process.
    public init(command: String, options: [String], environment: [String: String]? = nil) {
        self.command = command
        self.options = options
        self.environment = environment
    }

    /// Runs `assay idaas ARGUMENT…`, with a line of standard input if it reads one. What it prints is not shown.
    ///
    /// - Throws: ``Failure`` for an exit code that is not zero.
    public func run(_ arguments: String..., input: String? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = ["idaas"] + arguments + options
        if let environment { process.environment = environment }
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe(), errors = Pipe()
        process.standardError = errors
        process.standardInput = input == nil ? FileHandle.nullDevice : pipe
        try process.run()
        if let input { try pipe.fileHandleForWriting.write(contentsOf: Data((input + "\n").utf8)) }
        try pipe.fileHandleForWriting.close()
        // Read to its end before the wait: a full pipe would keep the command from ending.
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: arguments, exitCode: process.terminationStatus, errors: said)
        }
    }

    /// The command failed.
    public struct Failure: Error, CustomStringConvertible {
        let arguments: [String]
        let exitCode: Int32
        /// Its standard error.
        let errors: String

        public var description: String { "assay idaas \(arguments.joined(separator: " ")) ended with \(exitCode): \(errors)" }
    }
}
