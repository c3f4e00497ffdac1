public import JWKSCache
internal import JWTCore
internal import Locks

/// A transport in memory, with answers that tests can change, count and hold. It is the network of tests that are not about the network.
///
/// ```swift
/// let issuer = try TestIssuer()
/// let transport = ScriptedTransport(serving: issuer)
/// transport.answer(issuer.keysURL, status: 503)
/// let keys = RemoteKeySet(.issuer(issuer.identifier), transport: transport)
/// ```
public final class ScriptedTransport: DocumentTransport {
    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [OutgoingRequest] = []
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    /// The answer of a URL.
    public enum Answer: Sendable {
        case response(ReceivedResponse)
        case failure(RequestFailure)
        /// This response, after ``release()``.
        case held(ReceivedResponse)
        /// No answer, until cancellation or ``release()``.
        case hang
    }

    private let state = Locked(State())
    private let issuers: [TestIssuer]

    /// A transport that answers with the documents of `issuers`, and fails for any other URL until it has an answer.
    public init(serving issuers: TestIssuer...) { self.issuers = issuers }

    /// Sets the answer of `url` from now on, before that of an issuer.
    public func answer(_ url: String, _ answer: Answer) { state.withLock { $0.answers[url] = answer } }

    /// Sets a 200 answer with `document` from now on.
    public func answer(_ url: String, _ document: String, fields: [HeaderField] = []) {
        answer(url, .response(ReceivedResponse(status: 200, fields: fields, body: Array(document.utf8))))
    }

    /// Sets an answer without a document from now on.
    public func answer(_ url: String, status: Int, fields: [HeaderField] = []) {
        answer(url, .response(ReceivedResponse(status: status, fields: fields)))
    }

    /// Every request so far.
    public var requests: [OutgoingRequest] { state.withLock { $0.requests } }

    /// Makes requests wait from now on, until ``release()``.
    public func hold() { state.withLock { $0.isHeld = true } }

    /// Answers every request that waits.
    public func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHeld = false
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    public func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers[request.url] ?? served(request)
        }
        let hangs =
            switch answer {
            case .held, .hang: true
            case .response, .failure: false
            }
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                guard state.isHeld || hangs else { return false }
                state.held.append(continuation)
                return true
            }
            if !waits { continuation.resume() }
        }
        switch answer {
        case .response(let response), .held(let response): return response
        case .failure(let failure): throw failure
        case .hang: throw RequestFailure(.timedOut)
        }
    }

    private func served(_ request: OutgoingRequest) -> Answer {
        for issuer in issuers where issuer.serves(request.url) { return issuer.answer(to: request) }
        return .failure(RequestFailure(.connection, "nothing listens"))
    }
}
