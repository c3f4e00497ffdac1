internal import JWTCore

/// Where a browser is sent in place of a 401, prepared for decisions: a URL of the operator's, whose query may name the client's URL.
///
/// Scheme, host and path are the configuration's alone, so no request can choose them. Of the client's URL every byte is percent-encoded but
/// the unreserved ones of RFC 3986 section 2.3: it cannot end its parameter.
struct BrowserRedirect: Sendable {
    /// What stands in the configuration for the client's URL.
    static let placeholder = "{url}"
    private static let mostBytes = 4_096

    /// Up to the client's URL.
    private let start: [UInt8]
    /// Behind the client's URL; nil for a target that does not name it.
    private let end: [UInt8]?
    /// The path of a target without a host of its own.
    private let ownPath: [UInt8]?

    enum Fault: Error, CaseIterable {
        case tooLong
        case noURL
        case insecure
        case hasUser
        case hasFragment
        case misplacedPlaceholder

        /// For the operator.
        var summary: String {
            switch self {
            case .tooLong: "has more than 2048 bytes"
            case .noURL: "an https URL is expected, or a path that begins with a single slash"
            case .insecure: "needs https; http is for this machine alone"
            case .hasUser: "has a user"
            case .hasFragment: "has a fragment"
            case .misplacedPlaceholder: "`{url}` stands once, and in the query"
            }
        }
    }

    /// - Parameter target: an https URL, an http URL of this machine, or a path; with ``placeholder`` at most once, in the query.
    init(_ target: String) throws(Fault) {
        guard target.utf8.count <= Self.mostBytes / 2 else { throw .tooLong }
        let parts = target.parts(around: Self.placeholder)
        let hasPlaceholder = parts.count > 1
        guard parts.count <= 2, !hasPlaceholder || parts[0].utf8.contains(UInt8(ascii: "?")) else { throw .misplacedPlaceholder }
        let isPath = target.hasPrefix("/")
        // Browsers read `//` as the beginning of a host.
        guard let url = URLText((isPath ? "https://host" : "") + parts.joined()), !url.host.isEmpty, !target.hasPrefix("//") else {
            throw .noURL
        }
        guard url.scheme == "https" || url.scheme == "http" else { throw .noURL }
        guard url.scheme == "https" || ["localhost", "127.0.0.1", "[::1]"].contains(url.host) else { throw .insecure }
        guard !url.hasUser else { throw .hasUser }
        guard url.fragment == nil else { throw .hasFragment }
        start = Array(parts[0].utf8)
        end = hasPlaceholder ? Array(parts[1].utf8) : nil
        ownPath = isPath ? Array(target.utf8.prefix { $0 != UInt8(ascii: "?") }) : nil
    }

    /// Whether the request asks for the target itself. A redirect would lead back to it for ever.
    func isTarget(of request: RequestView) -> Bool { ownPath.map { request.target.equals($0, in: Self.path(of: request)) } ?? false }

    /// Appends the value of `Location`, of at most 4,096 bytes: the client's URL is empty where it would not fit, or where the authority is no
    /// host.
    ///
    /// - Parameter withQuery: whether the client's URL has its query.
    func append(_ request: RequestView, withQuery: Bool, to text: inout [UInt8]) {
        let first = text.count
        text.append(start.span)
        guard let end else { return }
        let place = text.count
        Self.appendURL(of: request, withQuery: withQuery, to: &text)
        if text.count + end.count - first > Self.mostBytes { text.removeLast(text.count - place) }
        text.append(end.span)
    }

    /// The scheme is `https` unless the gateway says `http`: a page must not send a browser where others read along.
    private static func appendURL(of request: RequestView, withQuery: Bool, to text: inout [UInt8]) {
        let target = request.target.extracting(withQuery ? request.target.indices : path(of: request))
        guard target.count < mostBytes, HostView(request.authority) != nil else { return }
        text.append(percentEncoding: request.scheme.equals(http) ? http.span : https.span)
        text.append(percentEncoding: separator.span)
        text.append(percentEncoding: request.authority)
        text.append(percentEncoding: target)
    }

    private static func path(of request: RequestView) -> Range<Int> {
        0..<(request.target.first(UInt8(ascii: "?"), in: request.target.indices) ?? request.target.count)
    }

    private static let http = Array("http".utf8), https = Array("https".utf8), separator = Array("://".utf8)
}
