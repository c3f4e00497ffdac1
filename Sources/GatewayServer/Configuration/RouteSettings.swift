#if Gateway
internal import Gateway

/// Reads `routes`.
enum RouteSettings {
    private static let names = ["path", "exact", "methods", "hosts", "headers", "context", "policy"]

    static func read(_ root: SettingsSection, policies: [String]) -> [Route] {
        let elements = root.elements("routes")
        if elements.isEmpty {
            root.fault("routes", .missingSetting, "at least one route is needed; a request that no route matches is refused")
        }
        return elements.compactMap { node, path in
            guard let section = SettingsSection(node, path, names: names, root.faults), let policy = section.requiredText("policy") else {
                return nil
            }
            guard policies.contains(policy) else {
                section.fault(
                    "policy", .unknownName, "there is no policy `\(policy.prefix(64))`\(Suggestion.question(policy, in: policies))")
                return nil
            }
            return route(section, policy)
        }
    }

    private static func route(_ section: SettingsSection, _ policy: String) -> Route {
        var route = Route(match(section), policy: policy)
        route.methods = (section.texts("methods") ?? []).map { $0.uppercased() }
        if !route.methods.allSatisfy(SettingsNames.isToken) { section.fault("methods", .invalidValue, "methods are expected, as in GET") }
        route.hosts = (section.texts("hosts") ?? []).map { $0.lowercased() }
        route.fields = section.pairs("headers").compactMap { name, value in
            guard SettingsNames.isToken(name) else {
                section.fault("headers", .invalidValue, "has a name that is not one of a header field")
                return nil
            }
            return Field(name, value)
        }
        route.context = Dictionary(section.pairs("context").map { ($0.name, $0.value) }) { first, _ in first }
        return route
    }

    private static func match(_ section: SettingsSection) -> Route.PathMatch? {
        if section.has("path"), section.has("exact") {
            section.fault("exact", .conflict, "only one of `path` and `exact` can be set")
        }
        let setting = section.has("exact") ? "exact" : "path"
        guard let text = section.text(setting) else { return nil }
        guard text.hasPrefix("/") else {
            section.fault(setting, .invalidValue, "a path from / is expected")
            return nil
        }
        if setting == "exact" { return .exact(text) }
        return .prefix(text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text)
    }
}
#endif
