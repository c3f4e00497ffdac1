#if HTTP
internal import NIOCore
internal import NIOPosix

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The one thread of NIO that serves all requests.
enum NetworkThread {
    /// Makes it on the calling thread, whose signal mask it inherits, unless it is there.
    static func start() { _ = isStarted }

    /// NIO ignores SIGPIPE for the whole process when it makes its first socket. This makes that socket, and gives the signal back to the
    /// program: NIO's thread blocks it, and so gets EPIPE.
    private static let isStarted: Void = {
        NIOSingletons.groupLoopCountSuggestion = 1
        var before = sigaction()
        unsafe sigaction(SIGPIPE, nil, &before)
        // No folder is a socket, so this connects to nothing.
        _ = try? ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(unixDomainSocketPath: "/").wait()
        unsafe sigaction(SIGPIPE, &before, nil)
    }()
}
#endif
