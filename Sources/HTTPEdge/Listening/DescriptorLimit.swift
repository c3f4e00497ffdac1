#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The number of descriptors that the process may have open (`RLIMIT_NOFILE`).
package enum DescriptorLimit {
    /// For files, fetches and event loops, besides connections.
    package static let reserve = 256

    /// Raises the limit to `needed`, as far as the hard limit allows. Never lowers it.
    ///
    /// - Returns: the limit that holds.
    package static func raise(to needed: Int) -> Int {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        let wanted = min(rlim_t(needed), limit.rlim_max)
        guard wanted > limit.rlim_cur else { return Int(clamping: limit.rlim_cur) }
        let before = limit.rlim_cur
        limit.rlim_cur = wanted
        return Int(clamping: unsafe setrlimit(resource, &limit) == 0 ? wanted : before)
    }
}
