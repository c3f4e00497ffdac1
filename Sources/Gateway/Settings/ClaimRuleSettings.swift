/// Reads `claims` of a policy: what the claims of a token must be.
enum ClaimRuleSettings {
    private static let range = ["atLeast", "atMost"]
    private static let conditions = ["anyOf", "allOf", "equals", "prefix", "mailDomain", "present"] + range

    static func read(_ policy: SettingsSection, providers: [String]) -> [ClaimRule] {
        // An empty list reads like "no claim", and would mean "any".
        if let node = policy.node("claims"), case .list(let elements) = node.content, elements.isEmpty {
            policy.fault("claims", .wrongKind, "the list is empty; write its rules, or leave the setting out")
        }
        var addresses: [SettingsSection] = []
        let rules = policy.elements("claims").compactMap { node, path -> ClaimRule? in
            let names = ["claim", "path", "provider"] + conditions
            guard let section = SettingsSection(node, path, names: names, policy.faults), let steps = ClaimSettings.path(section),
                let condition = condition(section)
            else { return nil }
            if case .mailDomain = condition { addresses.append(section) }
            return ClaimRule(steps, condition, provider: provider(section, providers))
        }
        if !rules.contains(where: \.asksForVerifiedAddress) {
            for section in addresses {
                section.warn("mailDomain", "anyone may write an address; ask for `{claim: email_verified, equals: true}` too")
            }
        }
        return rules
    }

    private static func condition(_ section: SettingsSection) -> ClaimRule.Condition? {
        guard let kind = range.allSatisfy(section.has) ? range[0] : section.one(of: conditions) else { return nil }
        switch kind {
        case "anyOf": return section.texts(kind, takesAny: true).map { .anyOf($0) }
        case "allOf": return section.texts(kind, takesAny: true).map { .allOf($0) }
        case "equals": return section.text(kind, takesAny: true).map { .equals($0) }
        case "prefix": return section.text(kind).map { .prefix($0) }
        case "mailDomain": return section.texts(kind).map { .mailDomain($0) }
        case "present":
            guard let flag = section.flag(kind) else { return nil }
            if !flag { section.fault(kind, .invalidValue, "only `true` is possible: a rule cannot ask for a claim to be absent") }
            return .present
        default: return limits(section)
        }
    }

    private static func limits(_ section: SettingsSection) -> ClaimRule.Condition? {
        if let other = conditions.first(where: { !range.contains($0) && section.has($0) }) {
            section.fault(other, .conflict, "stands beside neither `atLeast` nor `atMost`")
        }
        let largest = 253_402_300_799
        let least = section.integer("atLeast", -largest...largest), most = section.integer("atMost", -largest...largest)
        guard least != nil || most != nil else { return nil }
        return .number(atLeast: least.map { Int64($0) }, atMost: most.map { Int64($0) })
    }

    private static func provider(_ section: SettingsSection, _ providers: [String]) -> String? {
        guard let name = section.text("provider") else { return nil }
        if !providers.contains(name) {
            section.fault("provider", .unknownName, "there is no provider `\(name.prefix(64))`\(Suggestion.question(name, in: providers))")
        }
        return name
    }
}

extension ClaimRule {
    fileprivate var asksForVerifiedAddress: Bool { path == [.member("email_verified")] && condition == .equals("true") }
}
