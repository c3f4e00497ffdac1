/// A source of tokens, prepared for reading.
enum TokenPlace: Hashable, Sendable {
    /// In lower case.
    case authorization(scheme: [UInt8])
    /// The name is in lower case.
    case header(name: String, prefix: [UInt8])
    case cookie(name: [UInt8])
    case query(name: [UInt8])

    init(_ source: TokenSource) {
        switch source {
        case .authorization(let scheme): self = .authorization(scheme: scheme.utf8.map(\.lowercased))
        case .header(let name, let prefix): self = .header(name: name.lowercased(), prefix: Array(prefix.utf8))
        case .cookie(let name): self = .cookie(name: Array(name.utf8))
        case .query(let name): self = .query(name: Array(name.utf8))
        }
    }

    /// Whether one token would be found in both.
    func repeats(_ other: Self) -> Bool {
        guard case .header(let mine, let prefix) = self, case .header(let theirs, let another) = other else { return self == other }
        return mine == theirs && (prefix.starts(with: another) || another.starts(with: prefix))
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
        }
    }
}

/// What a place of a request holds.
enum PresentedToken: Hashable {
    case none
    case one(ArraySlice<UInt8>)
    /// More than one token, or one that another reader may find elsewhere.
    case several
}

extension TokenPlace {
    /// The token in this place of `facts`.
    ///
    /// - Parameter query: the query of its target.
    func token(in facts: RequestFacts, query: ArraySlice<UInt8>) -> PresentedToken {
        switch self {
        case .authorization(let scheme): AuthorizationField.token(of: scheme, in: facts.values(of: "authorization"))
        case .header(let name, let prefix): Self.token(after: prefix, in: facts.values(of: name))
        case .cookie(let name): CookieField.token(called: name, in: facts.values(of: "cookie"))
        case .query(let name): QueryParameters.token(called: name, in: query)
        }
    }

    /// A field of one's own. A comma joins several fields to one (RFC 9110 section 5.3), and no token has one.
    private static func token(after prefix: [UInt8], in values: [ArraySlice<UInt8>]) -> PresentedToken {
        let tokens = values.filter { $0.starts(with: prefix) && !($0.isEmpty && prefix.isEmpty) }
        guard let value = tokens.first else { return .none }
        guard values.count == 1, !value.contains(UInt8(ascii: ",")) else { return .several }
        return .one(value.dropFirst(prefix.count))
    }
}

extension RequestFacts {
    /// The values of every field called `name`, without white space around them.
    func values(of name: String) -> [ArraySlice<UInt8>] {
        fields.compactMap { field in
            guard field.name.utf8.elementsEqual(name.utf8) else { return nil }
            return Array(field.value.utf8)[...].trimmed
        }
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at both ends.
    var trimmed: Self {
        guard let first = firstIndex(where: { !$0.isBlank }), let last = lastIndex(where: { !$0.isBlank }) else { return [] }
        return self[first...last]
    }
}

extension UInt8 {
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}
