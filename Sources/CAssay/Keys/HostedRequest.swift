internal import JWKSCache
internal import JWTCore

/// The source of hosted keys.
enum HostedSource: Sendable {
    case url(String)
    case issuer(String)
}

/// One request of a fetch, with what is needed to go on after its response.
struct HostedRequest: Sendable {
    let document: OutgoingRequest
    private let situation: FetchSituation
    private let progress: Progress

    private enum Progress: Sendable {
        case keys(FetchResult.Origin)
        case issuer(IssuerFetch)
    }

    /// What comes after a response.
    enum Step {
        case request(HostedRequest)
        case done(FetchResult, IssuerFetch.Metadata?)
    }

    /// What the host learns of a fetch.
    enum Outcome {
        case installed
        case continues
        case failed
        case ended
    }

    var order: FetchOrder { situation.order }

    private init(_ document: OutgoingRequest, _ situation: FetchSituation, _ progress: Progress) {
        self.document = document
        self.situation = situation
        self.progress = progress
    }

    /// The first request of a fetch. Nil where the source is no address that may be requested; its constructor has checked that.
    init?(_ source: HostedSource, _ situation: FetchSituation, metadata: IssuerFetch.Metadata?) {
        switch source {
        case .url(let url):
            let origin = FetchResult.Origin(sourceIndex: 0, format: .jwks, url: url)
            self.init(situation.request(for: url, origin), situation, .keys(origin))
        case .issuer(let issuer):
            var fetch = IssuerFetch(issuer: issuer, sourceIndex: 0, situation, metadata: metadata)
            guard case .request(let document) = fetch.begin() else { return nil }
            self.init(document, situation, .issuer(fetch))
        }
    }

    func step(after answer: Result<ReceivedResponse, RequestFailure>) -> Step {
        switch progress {
        case .keys(let origin): return .done(situation.result(of: answer, to: document, origin), nil)
        case .issuer(var fetch):
            var step = fetch.receive(answer)
            // The metadata chooses the next address. A text that is no URL must not reach the host's client.
            while case .request(let next) = step, !HostedURL.isAcceptable(next.url) {
                step = fetch.receive(.failure(RequestFailure(.invalidURL)))
            }
            switch step {
            case .request(let next): return .request(HostedRequest(next, situation, .issuer(fetch)))
            case .done(let result): return .done(result, fetch.metadata)
            }
        }
    }
}

enum HostedURL {
    /// Whether a text may be given to the host's HTTP client: http or https, an authority without a user, printable ASCII, no fragment.
    static func isAcceptable(_ url: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix), url.utf8.count <= 2_048,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !#""<>\^`{|}#"#.utf8.contains($0) })
        else { return false }
        let authority = url.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return !authority.isEmpty && !authority.contains(UInt8(ascii: "@"))
    }
}
