/// Reads `claims` of a provider: which claims the upstream gets as header fields.
enum ClaimSettings {
    private enum Arrays: String, CaseIterable {
        case joined
        case json
    }

    static func read(_ provider: SettingsSection) -> [ClaimHeader] {
        var seen: Set<String> = []
        return provider.elements("claims").compactMap { node, path -> ClaimHeader? in
            let names = ["header", "claim", "path", "arrays", "separator"]
            guard let section = SettingsSection(node, path, names: names, provider.faults) else { return nil }
            guard let text = section.requiredText("header"), let name = header(text, section, "header") else { return nil }
            if !seen.insert(name).inserted { section.fault("header", .repeatedName, "two claims set `\(name)`") }
            return Self.path(section).map { ClaimHeader(name, path: $0, arrays: arrays(section)) }
        }
    }

    /// The way to a claim: `claim` with its name or a JSON Pointer, or `path` with a list. Nil, with a fault, without one.
    static func path(_ section: SettingsSection) -> [ClaimStep]? {
        guard let kind = section.one(of: ["claim", "path"]) else { return nil }
        guard kind == "claim" else { return steps(section).flatMap { $0.isEmpty ? nil : $0 } }
        guard let claim = section.text("claim") else { return nil }
        guard claim.utf8.first != UInt8(ascii: "/") else {
            let steps = [ClaimStep](pointer: claim)
            if steps == nil {
                section.fault("claim", .invalidValue, "is no JSON Pointer (RFC 6901): `~` stands there as `~0`, `/` as `~1`")
            }
            return steps
        }
        if looksLikePath(claim) {
            let steps = claim.split(separator: ".").joined(separator: "/")
            section.warn("claim", "is the name of one claim, with its dots; a member inside a claim is `/\(steps)`")
        }
        return [.member(claim)]
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
    private static func steps(_ section: SettingsSection) -> [ClaimStep]? {
        guard let node = section.node("path"), case .list(let elements) = node.content else {
            section.fault("path", .wrongKind, "a list of member names and positions is expected")
            return nil
        }
        if elements.isEmpty { section.fault("path", .wrongKind, "the list is empty") }
        return elements.compactMap { element in
            guard case .text(let text, let isQuoted) = element.content else {
                section.faults.add(element.place, .wrongKind, "`\(section.name("path"))`: a member name or a position is expected")
                return nil
            }
            guard !isQuoted, let position = Int(text) else { return .member(text) }
            // The check of the whole refuses a negative one.
            return .position(position)
        }
    }
}
