package import IDaaSWire

extension Language {
    /// The language of a reply: the one in `X-L`, else the preferred available one in `Accept-Language` (RFC 9110 section 12.5.4), else
    /// English. Browsers and the flows name a language; a developer's tool such as curl names none.
    package init(replyLanguage: String?, acceptLanguage: String?) {
        self = replyLanguage.flatMap(Self.init(tag:)) ?? acceptLanguage.flatMap(Self.init(acceptLanguage:)) ?? .english
    }

    /// The language of a tag such as `en-GB`.
    private init?(tag: String) {
        let primary = tag.trimmed.lowercased().prefix { $0 != "-" && $0 != "_" }
        self.init(rawValue: String(primary))
    }

    private init?(acceptLanguage: String) {
        var best: (language: Language, weight: Double)?
        for item in acceptLanguage.split(separator: ",").prefix(32) {
            let parts = item.split(separator: ";").map { String($0).trimmed }
            guard let language = parts.first.flatMap(Self.init(tag:)) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        guard let best else { return nil }
        self = best.language
    }
}
