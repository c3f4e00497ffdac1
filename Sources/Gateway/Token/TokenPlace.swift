internal import JWTCore

/// A source of tokens, prepared for reading.
enum TokenPlace: Hashable, Sendable {
    /// In lower case.
    case authorization(scheme: [UInt8])
    /// The name is in lower case.
    case header(name: [UInt8], prefix: [UInt8])
    case cookie(LenientName)
    case query(LenientName)
    case webSocketProtocol(prefix: [UInt8])
    case context(name: [UInt8])

    init(_ source: TokenSource) {
        switch source {
        case .authorization(let scheme): self = .authorization(scheme: scheme.utf8.map(\.lowercased))
        case .header(let name, let prefix): self = .header(name: name.utf8.map(\.lowercased), prefix: Array(prefix.utf8))
        case .cookie(let name): self = .cookie(LenientName(name))
        case .query(let name): self = .query(LenientName(name))
        case .webSocketProtocol(let prefix): self = .webSocketProtocol(prefix: Array(prefix.utf8))
        case .context(let name): self = .context(name: Array(name.utf8))
        }
    }

    /// Whether it is the scheme of tokens that come with a proof (RFC 9449 section 7.1), in any case.
    static func isProofScheme(_ scheme: String) -> Bool { scheme.utf8.map(\.lowercased).elementsEqual("dpop".utf8) }

    /// Whether a token in this place comes with a proof.
    var isOfProofScheme: Bool { if case .authorization(let scheme) = self { scheme.elementsEqual("dpop".utf8) } else { false } }

    /// Whether one token would be found in both.
    func repeats(_ other: Self) -> Bool {
        switch (self, other) {
        case (.header(let mine, let prefix), .header(let theirs, let another)):
            mine == theirs && (prefix.starts(with: another) || another.starts(with: prefix))
        case (.webSocketProtocol(let prefix), .webSocketProtocol(let another)):
            prefix.starts(with: another) || another.starts(with: prefix)
        default: self == other
        }
    }

    /// Whether a request cannot have a token in both: a field occurs once, and holds one token.
    func excludes(_ other: Self) -> Bool {
        switch (self, other) {
        case (.authorization, .authorization): true
        case (.header(let mine, _), .header(let theirs, _)): mine == theirs
        default: self == other
        }
    }

    /// The kind, for explanations.
    var kind: String {
        switch self {
        case .authorization: "authorization"
        case .header: "header"
        case .cookie: "cookie"
        case .query: "query"
        case .webSocketProtocol: "websocket-protocol"
        case .context: "context"
        }
    }
}

extension TokenPlace {
    /// The token in this place of `request`.
    ///
    /// - Parameter query: the query of its target.
    func token(in request: RequestView, query: Span<UInt8>) -> PresentedToken {
        switch self {
        case .authorization(let scheme): AuthorizationField.token(of: scheme, in: request)
        case .header(let name, let prefix): Self.token(in: name, after: prefix, of: request)
        case .cookie(let name): CookieField.token(called: name, in: request)
        case .query(let name): QueryParameters.token(called: name, in: query)
        case .webSocketProtocol(let prefix): WebSocketProtocolField.token(behind: prefix, in: request)
        case .context(let name): Self.token(inContext: name, of: request)
        }
    }

    /// An empty entry is none.
    private static func token(inContext name: [UInt8], of request: RequestView) -> PresentedToken {
        var found = PresentedToken.none
        for place in 0..<request.contextCount where request.contextName(place).equals(name) {
            guard !request.contextValue(place).isEmpty else { continue }
            guard found == .none else { return .several }
            found = .one(.context(place))
        }
        return found
    }

    /// A field of one's own. A comma joins several fields to one (RFC 9110 section 5.3), and no token has one.
    private static func token(in name: [UInt8], after prefix: [UInt8], of request: RequestView) -> PresentedToken {
        var found: (place: Int, range: Range<Int>)?, count = 0
        for place in 0..<request.fieldCount where request.isField(place, name) {
            count += 1
            let value = request.fieldValue(place), range = value.trimmed(value.indices)
            guard value.begins(with: prefix, in: range), !range.isEmpty || !prefix.isEmpty else { continue }
            found = found ?? (place, range)
        }
        guard let found else { return .none }
        let value = request.fieldValue(found.place)
        guard count == 1, value.first(UInt8(ascii: ","), in: found.range) == nil else { return .several }
        return .one(.field(found.place, found.range.lowerBound + prefix.count..<found.range.upperBound))
    }
}
