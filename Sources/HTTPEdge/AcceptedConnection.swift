internal import HummingbirdCore
package import NIOCore
package import NIOHTTPTypes
internal import Synchronization

/// A connection between its acceptance and its service. It ends if no service takes it, because its listener closed or its registration
/// failed in between: NIO ends the process where an async channel goes without being executed.
package final class AcceptedConnection: ServerChildChannelValue {
    package typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private let parts: Parts
    private let isTaken = Atomic(false)

    init(_ parts: Parts) { self.parts = parts }

    package var channel: any Channel { parts.channel }

    /// The requests and answers, for a caller that executes them.
    func take() -> Parts {
        isTaken.store(true, ordering: .relaxed)
        return parts
    }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        Task { [parts] in try? await parts.executeThenClose { _, _ in } }
    }
}
