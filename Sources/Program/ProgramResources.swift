internal import CProgram

/// What a program needs from the system. Where it is missing, the program ends with a sentence and this code, and never with a trap.
package enum ProgramResources {
    /// The exit code of a program that lacks descriptors, address space or threads.
    package static let exitCode: Int32 = 5

    /// Needs for a server: two descriptors for each event loop, its listeners, its database and files, and some connections.
    package static func requireForServer() { cprogram_require(48, 512, 16) }

    /// Needs for a client of HTTP or of a database.
    package static func requireForClient() { cprogram_require(24, 384, 12) }

    /// Needs for `count` threads that compute.
    package static func require(threads count: Int) { cprogram_require(8, Int32(min(4_096, 192 + 64 * count)), Int32(count + 4)) }
}
