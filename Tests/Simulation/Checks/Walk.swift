import JWKSCache

/// The requests of one fetch of an issuer's keys, with their responses.
struct Walk {
    private(set) var stops: [Stop] = []

    struct Stop {
        let url: String
        let delivery: Publisher.Delivery

        /// Whether it is readable metadata.
        var isMetadata: Bool {
            guard Walk.isMetadata(url), delivery.fault == nil, case .success(let response) = delivery.answer.response else { return false }
            return response.status == 200
        }
    }

    static func isMetadata(_ url: String) -> Bool { url.contains("/.well-known/") }

    mutating func add(_ url: String, _ delivery: Publisher.Delivery) { stops.append(Stop(url: url, delivery: delivery)) }

    /// The total latency; nil if a response never comes.
    var latency: Duration? {
        stops.reduce(Duration?.some(.zero)) { sum, stop in sum.flatMap { sum in stop.delivery.latency.map { sum + $0 } } }
    }

    /// The last response for keys.
    var keys: Stop? { stops.last { !Self.isMetadata($0.url) } }

    /// Whether metadata was requested but not received.
    var isTroubled: Bool { stops.contains { Self.isMetadata($0.url) } && !stops.contains(where: \.isMetadata) }

    /// The result of the whole fetch: the last response for keys counts. If that brings nothing and the metadata is unusable too, the pause
    /// requested by the metadata's address counts.
    func outcome(_ policy: RefreshPolicy) -> Publisher.Delivery {
        guard let last = stops.last else { preconditionFailure("a fetch without a request") }
        let decisive = keys ?? last
        var answer = decisive.delivery.answer
        if !answer.bringsKeys(policy), answer.retryAfter == nil, isTroubled {
            answer = Answer(response: answer.response, meaning: last.delivery.answer.meaning)
        }
        return Publisher.Delivery(
            latency: latency, answer: answer, fault: decisive.delivery.fault, release: decisive.delivery.release)
    }

    /// The order of the requests, for the counts.
    var course: String { "discovery.\(stops.map { Self.isMetadata($0.url) ? "metadata" : "keys" }.joined(separator: " then "))" }
}
