#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The variables of this process's environment.
package enum Environment {
    /// The value of a variable; nil if it is not set or is not UTF-8.
    package static subscript(name: String) -> String? {
        // SAFETY: the value is copied at once. No program of this package changes its environment.
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }
}
