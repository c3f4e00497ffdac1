import JWKSCache

/// The response to one fetch, and its true meaning.
struct Answer {
    let response: Result<ReceivedResponse, RequestFailure>
    let meaning: Meaning

    enum Meaning {
        /// These keys are published.
        case set(keys: [PublishedKey], serial: UInt64?, hint: Duration?, Said)
        /// The same as in the request.
        case same(Said)
        case nothing(retryAfter: Duration?)
    }

    /// The freshness it states.
    struct Said {
        var lifetime: Duration?
        var age: Duration
    }

    init(response: Result<ReceivedResponse, RequestFailure>, meaning: Meaning) {
        self.response = response
        self.meaning = meaning
    }

    /// A response of any status.
    init(_ response: ReceivedResponse, _ meaning: Meaning = .nothing(retryAfter: nil)) {
        self.init(response: .success(response), meaning: meaning)
    }

    /// No response.
    static func failure(_ reason: RequestFailure.Reason) -> Self {
        Self(response: .failure(RequestFailure(reason)), meaning: .nothing(retryAfter: nil))
    }

    static func status(_ status: Int) -> Self { Self(ReceivedResponse(status: status)) }

    static func document(_ text: String, _ meaning: Meaning = .nothing(retryAfter: nil)) -> Self {
        Self(ReceivedResponse(status: 200, body: Array(text.utf8)), meaning)
    }

    /// Whether it brings usable keys, or the confirmation of the current ones.
    func bringsKeys(_ policy: RefreshPolicy) -> Bool {
        switch meaning {
        case .set(let keys, _, _, _): keys.contains(where: \.isUsable) || keys.isEmpty && policy.emptySet == .revokesAll
        case .same: true
        case .nothing: false
        }
    }

    /// The pause that it asks for.
    var retryAfter: Duration? { if case .nothing(let pause) = meaning { pause } else { nil } }
}
