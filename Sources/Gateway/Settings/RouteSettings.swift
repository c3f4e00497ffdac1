/// Reads `routes`.
enum RouteSettings {
    private static let names = ["path", "exact", "pattern", "methods", "hosts", "headers", "context", "preflight", "policy"]
    private static let paths = ["path", "exact", "pattern"]

    static func read(_ root: SettingsSection, policies: [String]) -> [Route] {
        let elements = root.elements("routes")
        if elements.isEmpty {
            root.fault("routes", .missingSetting, "at least one route is needed; a request that no route matches is refused")
        }
        return elements.compactMap { node, path in
            guard let section = SettingsSection(node, path, names: names, root.faults), let policy = policy(section, policies) else {
                return nil
            }
            return route(section, policy)
        }
    }

    /// The name in `policy`; nil, with a fault, unless it is one of `policies`.
    static func policy(_ section: SettingsSection, _ policies: [String]) -> String? {
        guard let policy = section.requiredText("policy") else { return nil }
        guard policies.contains(policy) else {
            section.fault("policy", .unknownName, "there is no policy `\(policy.prefix(64))`\(Suggestion.question(policy, in: policies))")
            return nil
        }
        return policy
    }

    private enum PreflightChoice: String, CaseIterable {
        case judge, allow
    }

    private static func route(_ section: SettingsSection, _ policy: String) -> Route {
        var route = Route(match(section), policy: policy)
        route.methods = (section.texts("methods") ?? []).map { $0.uppercased() }
        if !route.methods.allSatisfy(SettingsNames.isToken) { section.fault("methods", .invalidValue, "methods are expected, as in GET") }
        for method in route.methods where !Self.methods.contains(method) {
            guard let meant = Suggestion.nearest(to: method, in: Self.methods) else { continue }
            section.fault("methods", .invalidValue, "there is no method `\(method.prefix(32))`; did you mean `\(meant)`?")
        }
        route.hosts = (section.texts("hosts") ?? []).map { $0.lowercased() }
        route.fields = section.pairs("headers").compactMap { name, value in
            guard SettingsNames.isToken(name) else {
                section.fault("headers", .invalidValue, "has a name that is not one of a header field")
                return nil
            }
            return Field(name, value)
        }
        route.admitsPreflights = section.choice("preflight", PreflightChoice.self) == .allow
        route.context = Dictionary(section.pairs("context").map { ($0.name, $0.value) }) { first, _ in first }
        return route
    }

    private static func match(_ section: SettingsSection) -> Route.PathMatch? {
        guard let setting = paths.first(where: section.has) else { return nil }
        for other in paths where other != setting && section.has(other) {
            section.fault(other, .conflict, "only one of `path`, `exact` and `pattern` can be set")
        }
        guard let text = section.text(setting) else { return nil }
        guard text.hasPrefix("/") else {
            section.fault(setting, .invalidValue, "a path from / is expected")
            return nil
        }
        guard let fault = setting == "pattern" ? unusualPattern(text) : unusual(text) else { return match(setting, text) }
        section.fault(setting, .invalidValue, fault)
        return nil
    }

    /// What else than a path `text` seems to be meant as. It would be taken literally, and the next route, perhaps an open one, would decide.
    private static func unusual(_ text: String) -> String? {
        for (character, sentence) in [
            ("?", "a route looks at the path alone: a query can be no condition"), ("#", "a path has no fragment: no request has one"),
            (
                "*",
                "`*` is no pattern here: a `path` covers everything below it, and a `pattern` has it; the character itself is written `%2A`"
            ),
            ("{", "`{` is no pattern: a `path` covers everything below it; the character itself is written `%7B`"),
        ] where text.contains(character) {
            return sentence
        }
        // RFC 3986 section 3.3: no path has them. Parentheses and `$` are characters of paths.
        if let character = text.first(where: { #"[]|^\<>"`}"#.contains($0) }) {
            return "`\(character)` is no character of a path, and a `path` is no pattern; a request may have it percent-encoded"
        }
        return text.allSatisfy(\.isASCII)
            ? nil : "a path is written in ASCII: each byte of other text is percent-encoded, as `%C3%A9` for `é`"
    }

    /// The same of a pattern, without its asterisks.
    private static func unusualPattern(_ text: String) -> String? {
        let segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard segments.dropLast().allSatisfy({ !$0.contains("*") || $0 == "*" }), segments.last.map(isWholeSegment) ?? true else {
            return "`*` stands for a whole segment, and `**` for all that follow, at the end alone"
        }
        return unusual("/" + segments.filter { !$0.contains("*") }.joined(separator: "/"))
    }

    private static func isWholeSegment(_ segment: Substring) -> Bool { !segment.contains("*") || segment == "*" || segment == "**" }

    /// The usual methods (RFC 9110 section 9, RFC 5789, RFC 4918), which a mistyped one is compared with.
    private static let methods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE",
        "LOCK", "UNLOCK", "REPORT", "SEARCH", "QUERY", "PURGE",
    ]

    private static func match(_ setting: String, _ text: String) -> Route.PathMatch {
        if setting == "exact" { return .exact(text) }
        if setting == "pattern" { return .pattern(text) }
        return .prefix(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
    }
}
