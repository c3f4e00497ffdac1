/// One request of a fetch that the host makes, with what is needed to go on after its response.
package struct HostedRequest: Sendable {
    package let document: OutgoingRequest
    let fetch: SourceFetch

    /// What the host learns of a fetch.
    package enum Outcome: Sendable {
        case installed
        case continues
        case failed
        case ended
    }

    var order: FetchOrder { fetch.order }
}

/// What comes of a step of a fetch.
enum HostedStep {
    case request(HostedRequest)
    case done(FetchResult, SourceFetch.Memory)

    /// The first step of a fetch.
    init(beginning fetch: SourceFetch) {
        var fetch = fetch
        let step = fetch.begin()
        self.init(fetch, step)
    }

    /// The step after a response.
    init(after answer: Result<ReceivedResponse, RequestFailure>, to request: HostedRequest) {
        var fetch = request.fetch
        let step = fetch.receive(answer)
        self.init(fetch, step)
    }

    /// Metadata may choose the next address. A text that is no URL must not reach the host's client.
    private init(_ fetch: SourceFetch, _ first: SourceFetch.Step) {
        var fetch = fetch, step = first
        while case .request(let next) = step, !HostedURL.isAcceptable(next.url) {
            step = fetch.receive(.failure(RequestFailure(.invalidURL)))
        }
        self =
            switch step {
            case .request(let document): .request(HostedRequest(document: document, fetch: fetch))
            case .done(let result): .done(result, fetch.memory)
            }
    }
}

/// Addresses that a host's HTTP client gets.
package enum HostedURL {
    /// Whether a text may be given to the host's HTTP client: http or https, an authority without a user, printable ASCII, no fragment.
    package static func isAcceptable(_ url: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix), url.utf8.count <= 2_048,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !#""<>\^`{|}#"#.utf8.contains($0) })
        else { return false }
        let authority = url.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return !authority.isEmpty && !authority.contains(UInt8(ascii: "@"))
    }
}
