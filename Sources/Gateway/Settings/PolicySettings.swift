internal import JWTCore

/// Reads `policies`.
struct PolicySettings {
    /// The words of `requires` that are not names of providers.
    static let words: Set = ["nothing", "allow-missing", "allow-failed"]

    /// What people write for `nothing`.
    private static let wordsForNothing: Set = ["none", "no", "open", "public", "anonymous", "anyone", "off", "false", "optional"]

    private static let names = [
        "name", "requires", "scopes", "claims", "realm", "resource", "resourceMetadata", "acrValues",
        "maximumAuthenticationAgeSeconds", "browsers", "mode", "shadow",
    ]

    private enum Mode: String, CaseIterable {
        case enforced
        case dryRun = "dry-run"
    }

    private let section: SettingsSection
    private let providers: [String]

    static func read(_ root: SettingsSection, providers: [String]) -> [GatewayPolicy] {
        let elements = root.elements("policies")
        if elements.isEmpty { root.fault("policies", .missingSetting, "at least one policy is needed") }
        var names: Set<String> = []
        var lines: [String: SettingsSection] = [:]
        let policies = elements.compactMap { node, path -> GatewayPolicy? in
            guard let section = SettingsSection(node, path, names: Self.names, root.faults),
                let name = SettingsNames.name(of: section, kind: "policies", unlike: &names)
            else { return nil }
            lines[name] = section
            return PolicySettings(section: section, providers: providers).policy(name)
        }
        checkShadows(policies, lines)
        return policies
    }

    private func policy(_ name: String) -> GatewayPolicy {
        var policy = GatewayPolicy(name, requirement: requirement)
        policy.scopes = section.texts("scopes") ?? []
        if policy.scopes.contains(where: { !Self.isScope($0) }) {
            section.fault("scopes", .invalidValue, "a scope has no spaces, quotation marks and backslashes (RFC 6749 section 3.3)")
        }
        policy.claimRules = ClaimRuleSettings.read(section, providers: providers)
        policy.realm = section.text("realm")
        policy.resourceMetadata = section.text("resourceMetadata")
        for setting in ["realm", "resourceMetadata"] {
            // Both stand in a quoted string of a header field.
            if let text = section.text(setting), !text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }) {
                section.fault(setting, .invalidValue, "printable ASCII without quotation marks and backslashes is expected")
            }
        }
        if let url = policy.resourceMetadata, URLText(url)?.host.isEmpty ?? true {
            section.fault("resourceMetadata", .invalidValue, "a URL is expected (RFC 9728)")
        }
        policy.resource = section.text("resource")
        policy.contextClasses = section.texts("acrValues") ?? []
        policy.maximumAuthenticationAge = section.seconds("maximumAuthenticationAgeSeconds", 1...315_360_000)
        policy.browserRedirect = browserRedirect
        policy.mode = section.choice("mode", Mode.self) == .dryRun ? .dryRun : .enforced
        policy.shadow = section.text("shadow")
        return policy
    }

    /// What becomes of browsers that would get a 401.
    private var browserRedirect: String? {
        guard let browsers = section.section("browsers", names: ["redirect"]), let target = browsers.requiredText("redirect") else {
            return nil
        }
        do throws(BrowserRedirect.Fault) {
            _ = try BrowserRedirect(target)
        } catch {
            browsers.fault("redirect", .invalidValue, error.summary)
        }
        return target
    }

    private static func isScope(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
    }

    /// A policy that is its own shadow, over any number of steps, would be evaluated for ever.
    private static func checkShadows(_ policies: [GatewayPolicy], _ sections: [String: SettingsSection]) {
        let shadows = Dictionary(policies.map { ($0.name, $0.shadow) }) { first, _ in first }
        for policy in policies {
            guard let shadow = policy.shadow, let section = sections[policy.name] else { continue }
            guard shadows.keys.contains(shadow) else {
                section.fault(
                    "shadow", .unknownName, "there is no policy `\(shadow.prefix(64))`\(Suggestion.question(shadow, in: shadows.keys))")
                continue
            }
            var next: String? = shadow
            var steps = 0
            while let name = next, name != policy.name, steps <= policies.count {
                next = shadows[name] ?? nil
                steps += 1
            }
            if next == policy.name { section.fault("shadow", .cycle, "leads back to this policy") }
        }
    }
}

// MARK: Requirements

extension PolicySettings {
    private var requirement: Requirement? {
        guard let node = section.node("requires") else {
            section.faults.add(
                section.place, .missingSetting, "`\(section.name("requires"))`: is missing; an open route has `requires: nothing`")
            return nil
        }
        if case .text("nothing", _) = node.content { return nil }
        return requirement(node)
    }

    private func requirement(_ node: SettingsNode) -> Requirement? {
        switch node.content {
        case .text(let text, _): return named(text, node.place)
        case .section(let members) where members.count == 1 && ["any", "all"].contains(members[0].name):
            guard case .list(let elements) = members[0].value.content, !elements.isEmpty else { break }
            let parts = elements.compactMap(requirement)
            return members[0].name == "any" ? .any(parts) : .all(parts)
        default: break
        }
        section.faults.add(
            node.place, .wrongKind,
            "`\(section.name("requires"))`: the name of a provider, `nothing`, `allow-missing`, `allow-failed`, or `any` or `all` with a list"
        )
        return nil
    }

    private func named(_ text: String, _ place: SettingsPlace) -> Requirement? {
        switch text {
        case "allow-missing": return .allowMissing
        case "allow-failed": return .allowFailed
        case _ where providers.contains(text): return .provider(text)
        default:
            let names = providers + Self.words
            guard !Self.wordsForNothing.contains(text.lowercased()) else {
                section.faults.add(
                    place, .unknownName,
                    "`\(section.name("requires"))`: there is no provider `\(text)`; an open route has `requires: nothing`")
                return nil
            }
            section.faults.add(
                place, .unknownName,
                "`\(section.name("requires"))`: there is no provider `\(text.prefix(64))`\(Suggestion.question(text, in: names))")
            return nil
        }
    }
}
