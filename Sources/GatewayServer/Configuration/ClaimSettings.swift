#if Gateway
internal import Gateway

/// Reads `claims` of a provider: which claims the upstream gets as header fields.
enum ClaimSettings {
    private enum Arrays: String, CaseIterable {
        case joined
        case json
    }

    static func read(_ provider: SettingsSection) -> [ClaimHeader] {
        var seen: Set<String> = []
        return provider.elements("claims").compactMap { node, path in
            let names = ["header", "claim", "path", "arrays", "separator"]
            guard let section = SettingsSection(node, path, names: names, provider.faults) else { return nil }
            guard let text = section.requiredText("header"), let name = header(text, section, "header") else { return nil }
            if !seen.insert(name).inserted { section.fault("header", .repeatedName, "two claims set `\(name)`") }
            guard let kind = section.one(of: ["claim", "path"]) else { return nil }
            if kind == "claim", let claim = section.text("claim"), looksLikePath(claim) {
                let steps = claim.split(separator: ".").joined(separator: ", ")
                section.warn("claim", "is the name of one claim, with its dots; a member inside a claim is `path: [\(steps)]`")
            }
            let steps = kind == "claim" ? section.text("claim").map { [ClaimHeader.Step.member($0)] } : steps(section)
            guard let steps, !steps.isEmpty else { return nil }
            return ClaimHeader(name, path: steps, arrays: arrays(section))
        }
    }

    /// Names joined by dots. A claim that is named by a URL has dots too.
    private static func looksLikePath(_ claim: String) -> Bool {
        let names = claim.split(separator: ".", omittingEmptySubsequences: false)
        return names.count > 1
            && names.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } }
    }

    /// The name of a field in lower case; nil, with a fault, for a text that is none. The core refuses names that may not be set.
    static func header(_ text: String, _ section: SettingsSection, _ setting: String) -> String? {
        let name = text.lowercased()
        guard SettingsNames.isToken(name) else {
            section.fault(setting, .invalidValue, "is not a name of a header field")
            return nil
        }
        return name
    }

    private static func arrays(_ section: SettingsSection) -> ClaimHeader.Arrays {
        let separator = section.text("separator")
        guard section.choice("arrays", Arrays.self) == .json else { return .joined(separator ?? ",") }
        if separator != nil { section.fault("separator", .conflict, "is of no use with `arrays: json`") }
        return .json
    }

    /// Member names and positions: a number that is not in quotation marks is a position.
    private static func steps(_ section: SettingsSection) -> [ClaimHeader.Step]? {
        guard let node = section.node("path"), case .list(let elements) = node.content else {
            section.fault("path", .wrongKind, "a list of member names and positions is expected")
            return nil
        }
        return elements.compactMap { element in
            guard case .text(let text, let isQuoted) = element.content else {
                section.faults.add(element.line, .wrongKind, "`\(section.name("path"))`: a member name or a position is expected")
                return nil
            }
            if !isQuoted, let position = Int(text), position >= 0 { return .position(position) }
            return .member(text)
        }
    }
}
#endif
