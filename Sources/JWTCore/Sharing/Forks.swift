internal import COpenSSL

/// What the process does when it forks. Only the forking thread continues in the child, so nothing would release there a lock that another
/// thread holds.
package enum Forks {
    /// Has each fork from now on run these functions: `before` from the newest to the oldest, the others from the oldest to the newest.
    ///
    /// They count as registered when the library was loaded. So a handler that a host registers by `pthread_atfork` after that may call the
    /// library, wherever these functions take its locks.
    package static func handle(
        before: (@convention(c) () -> Void)? = nil, inParent: (@convention(c) () -> Void)? = nil, inChild: @convention(c) () -> Void
    ) {
        cossl_add_fork_handlers(before, inParent, inChild)
    }

    /// Runs `body`, which calls a library that uses libcrypto. A fork waits for its end: otherwise the child could find a lock of libcrypto
    /// taken, with no thread to release it.
    ///
    /// `body` must not wait for other threads, and must take no lock that a handler takes.
    package static func hold<Result>(during body: () -> Result) -> Result {
        cossl_begin()
        defer { cossl_end() }
        return body()
    }
}
