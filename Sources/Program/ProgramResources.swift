internal import CProgram

/// What a program needs from the system. Where it is missing, the program ends with a sentence and this code, and never with a trap.
package enum ProgramResources {
    /// The exit code of a program that lacks descriptors, address space or threads.
    package static let exitCode: Int32 = 5

    /// Needs for a server: its listeners, its database and files, and some connections; three descriptors for each event loop; and for each
    /// loop and each thread beside it a stack.
    package static func requireForServer(eventLoops count: Int) {
        let count = min(count, 256)
        cprogram_require(Int32(42 + 3 * count), Int32(480 + 16 * count), Int32(12 + 2 * count))
    }

    /// Needs for a client of HTTP or of a database.
    package static func requireForClient() { cprogram_require(24, 384, 12) }

    /// Needs for `count` threads that compute.
    package static func require(threads count: Int) { cprogram_require(8, Int32(min(4_096, 192 + 64 * count)), Int32(count + 4)) }
}
