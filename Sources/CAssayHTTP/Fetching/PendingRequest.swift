internal import CAssay
internal import JWKSCache

/// A request for one of the threads of ``RequestThreads``.
protocol PendingRequest: Sendable {
    associatedtype Key: Hashable, Sendable

    /// Of requests with the same key one is under way at a time.
    var key: Key { get }
    var document: OutgoingRequest { get }
    /// The longest body of its answer.
    var bodyBytes: Int { get }
    /// Takes the answer. Called once.
    func end(_ answer: Result<ReceivedResponse, RequestFailure>)
}

extension HostedFetch: PendingRequest {
    var key: HostedFetch.Lane { lane }
    var bodyBytes: Int { bodyLimit }

    func end(_ answer: Result<ReceivedResponse, RequestFailure>) { self.answer(answer) }
}
