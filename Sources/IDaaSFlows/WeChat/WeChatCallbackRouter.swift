internal import JWKSCache
internal import JWTCore
internal import Locks

/// Takes the URLs with which WeChat opens the program to the login that waits for them. One for the process, made at its start.
///
/// Pass every URL that the program is opened with, from the application or the scene delegate, by URL scheme or Universal Link. A callback
/// that no login waits for is kept: WeChat may have opened the program anew. The next login claims it.
public final class WeChatCallbackRouter: Sendable {
    public let application: WeChatApplication
    private let state = Locked(State())

    private struct State {
        var next = 0
        /// The login that waits; a callback goes to it alone.
        var waiting: (number: Int, continuation: AsyncStream<WeChatCallback>.Continuation)?
        var kept: WeChatCallback?
    }

    public init(_ application: WeChatApplication) { self.application = application }

    /// - Returns: whether the URL is a login callback for this application. Any other URL is left to the program.
    @discardableResult
    public func handle(url: String) -> Bool {
        guard let callback = WeChatCallback(url: url, of: application) else { return false }
        take(callback)
        return true
    }

    /// The same for an answer of the WeChat SDK.
    public func handle(_ response: WeChatResponse) { take(WeChatCallback(response)) }

    private func take(_ callback: WeChatCallback) {
        let continuation = state.withLock { state in
            guard let waiting = state.waiting else {
                state.kept = callback
                return AsyncStream<WeChatCallback>.Continuation?.none
            }
            state.waiting = nil
            return waiting.continuation
        }
        continuation?.yield(callback)
        continuation?.finish()
    }

    /// The callback that no login waited for, once.
    func takeKept() -> WeChatCallback? {
        state.withLock { state in
            defer { state.kept = nil }
            return state.kept
        }
    }

    /// Begins to wait. A login that waited before ends: its user has begun again.
    func begin() -> (number: Int, callbacks: AsyncStream<WeChatCallback>) {
        let (stream, continuation) = AsyncStream.makeStream(of: WeChatCallback.self)
        let (number, earlier) = state.withLock { state in
            let earlier = state.waiting?.continuation
            state.next += 1
            state.kept = nil
            state.waiting = (state.next, continuation)
            return (state.next, earlier)
        }
        earlier?.finish()
        continuation.onTermination = { [weak self] _ in self?.end(number) }
        return (number, stream)
    }

    /// Ends a wait without a callback.
    func end(_ number: Int) {
        let continuation = state.withLock { state in
            guard let waiting = state.waiting, waiting.number == number else { return AsyncStream<WeChatCallback>.Continuation?.none }
            state.waiting = nil
            return waiting.continuation
        }
        continuation?.finish()
    }
}
