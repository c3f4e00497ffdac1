import CommandProgram

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An executable that builds and installs apart. `assay NAME` starts it, as git starts its commands.
enum OtherProgram: String, CaseIterable {
    case gateway = "assay-gateway"
    case idaas = "assay-idaas"

    private var commands: [String] {
        switch self {
        case .gateway: ["serve", "config"]
        case .idaas: ["idaas"]
        }
    }

    /// Replaces this program by the one that has the command of these arguments. Does nothing if this one has it.
    ///
    /// - Throws: a failure with the name of the package, if the executable is neither beside this one nor in its libexec folder.
    static func take(_ arguments: [String]) throws(CommandFailure) {
        let first = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        guard let name = first, let program = allCases.first(where: { $0.commands.contains(name) }) else { return }
        try program.start(name, arguments)
    }

    private func start(_ name: String, _ arguments: [String]) throws(CommandFailure) -> Never {
        let folder = Self.folder, places = ["\(folder)/\(rawValue)", "\(folder)/../libexec/assay/\(rawValue)"]
        guard let path = places.first(where: { unsafe access($0, X_OK) == 0 }) else {
            throw .usage("assay \(name) comes with the package \(rawValue), which is not installed")
        }
        // SAFETY: the texts live until the process is another one; execv(3) returns only where it fails.
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        unsafe execv(path, &words)
        throw .system("cannot start \(path)", errno)
    }

    /// The folder of this program's file, links followed.
    private static var folder: String {
        let path = resolved("/proc/self/exe") ?? CommandLine.arguments.first.flatMap(resolved) ?? ""
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private static func resolved(_ path: String) -> String? {
        // SAFETY: realpath(3) makes a string that the caller frees.
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
