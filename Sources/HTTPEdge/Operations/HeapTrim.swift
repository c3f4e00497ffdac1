#if canImport(Glibc)
internal import Glibc
#endif

/// Gives the free pages of the heap back to the system once a crowd of connections has left. glibc keeps them in its arenas otherwise, for as
/// long as the process lives.
package struct HeapTrim: Sendable {
    /// With fewer, there is little to give back.
    private static let crowd = 1_000

    private var most = 0

    package init() {}

    /// Whether at least half of a crowd has left since the last trim.
    ///
    /// - Parameter peak: the most connections at once since the last call.
    package mutating func isDue(connections: Int, peak: Int) -> Bool {
        most = max(most, peak)
        guard most >= Self.crowd, connections <= most / 2 else { return false }
        most = connections
        return true
    }

    /// Takes milliseconds, in which other threads wait for memory.
    package static func trim() {
        #if canImport(Glibc)
        // Not in the module: malloc.h.
        guard let function = unsafe dlsym(nil, "malloc_trim") else { return }
        _ = unsafe unsafeBitCast(function, to: (@convention(c) (Int) -> CInt).self)(0)
        #endif
    }
}
