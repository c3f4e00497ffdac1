internal import CProgram

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The arguments of this process without the program's name.
///
/// A program that cannot read its arguments must not run: it would answer another question than the one that was asked.
/// `CommandLine.arguments` is empty without /proc, for example in a chroot, and under libraries that replace the functions of files.
package enum ProgramArguments {
    /// Why the arguments cannot be read.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is not even the program's name.
        case missing
        /// The argument at this position, counted from one, is not UTF-8: two parts of a program could read it differently.
        case notUTF8(Int)

        package var description: String {
            switch self {
            case .missing: "the arguments of this program cannot be read"
            case .notUTF8(let position): "argument \(position) is not UTF-8"
            }
        }
    }

    /// - Throws: ``Fault``.
    package static func read() throws(Fault) -> [String] {
        let count = Int(cprogram_argument_count())
        guard count >= 0 else { return try readFromRuntime() }
        // Linux starts a program with an empty list as one with an empty name (fs/exec.c since 5.18).
        guard let name = unsafe cprogram_argument(0), unsafe name.pointee != 0 else { throw .missing }
        var arguments: [String] = []
        for index in 1..<count {
            // SAFETY: an argument below the count is a string that ends with a NUL and lives as long as the process.
            guard let text = unsafe String(validatingCString: cprogram_argument(Int32(index))) else { throw .notUTF8(index) }
            arguments.append(text)
        }
        return arguments
    }

    /// The arguments of a program that takes no other action without them.
    ///
    /// - Parameter fault: another reason not to run, such as a variable of the environment that is not understood.
    /// - Returns: the arguments. With a fault it writes a sentence to standard error and exits with 2.
    package static func orExit(unless fault: String? = nil) -> [String] {
        do {
            let arguments = try read()
            if let fault { exit(reporting: fault) }
            return arguments
        } catch {
            exit(reporting: "\(error)")
        }
    }

    private static func exit(reporting sentence: String) -> Never {
        let message = Array("Error: \(sentence)\n".utf8)
        // SAFETY: the bytes are read during the call. There is nowhere to report a failed write.
        _ = unsafe message.withUnsafeBytes { bytes in unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
        _exit(2)
    }

    /// Where the C library does not pass arguments on.
    private static func readFromRuntime() throws(Fault) -> [String] {
        let arguments = CommandLine.arguments
        guard !arguments.isEmpty else { throw .missing }
        return Array(arguments.dropFirst())
    }
}
