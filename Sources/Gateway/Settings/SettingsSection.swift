/// A section of the configuration, read setting by setting. A reader of a wrong value adds a fault and returns nil, like one of an absent
/// value.
package struct SettingsSection {
    /// For example `providers[2].keys`; empty for the whole file.
    package let path: String
    package let place: SettingsPlace
    package let faults: FaultList
    private let members: [String: SettingsNode.Member]

    /// Nil, with a fault, if `node` is not a section. Names that are not in `names` are faults. So are those without a value that are not
    /// in `mayBeEmpty`: where a template wrote nothing, a rule would be gone.
    package init?(_ node: SettingsNode, _ path: String, names: [String], mayBeEmpty: Set<String> = [], _ faults: FaultList) {
        self.path = path
        place = node.place
        self.faults = faults
        switch node.content {
        // A section is nothing if all its settings are commented out.
        case .nothing: members = [:]
        case .section(let members): self.members = Dictionary(members.map { ($0.name, $0) }) { first, _ in first }
        case .text, .list:
            faults.add(node.place, .wrongKind, "`\(path)`: settings are expected here, each as `name: value`")
            return nil
        }
        for member in members.values where !names.contains(member.name) {
            let name = shown(member.name)
            faults.add(member.place, .unknownSetting, "`\(name)`: no such setting\(Suggestion.question(member.name, in: names))")
        }
        for member in members.values where names.contains(member.name) && !mayBeEmpty.contains(member.name) {
            if case .nothing = member.value.content { fault(member.name, .wrongKind, "has no value; write one, or leave the setting out") }
        }
    }

    package func name(_ setting: String) -> String { path.isEmpty ? setting : "\(path).\(setting)" }

    /// The place of a setting; of the section, if it is absent.
    package func place(of setting: String) -> SettingsPlace { members[setting]?.place ?? place }

    package func fault(_ setting: String, _ code: SettingsFault.Code, _ text: String) {
        faults.add(place(of: setting), code, "`\(name(setting))`: \(text)")
    }

    package func warn(_ setting: String, _ text: String) { faults.warn(place(of: setting), .conflict, "`\(name(setting))`: \(text)") }

    /// The value of a setting; nil if it is absent or nothing.
    package func node(_ setting: String) -> SettingsNode? {
        guard let value = members[setting]?.value else { return nil }
        if case .nothing = value.content { return nil }
        return value
    }

    package func has(_ setting: String) -> Bool { node(setting) != nil }

    /// Whether the setting is written, with a value or without.
    package func stands(_ setting: String) -> Bool { members[setting] != nil }

    /// Adds a fault if none or several of `settings` are present. Returns the one that is.
    package func one(of settings: [String]) -> String? {
        let present = settings.filter(has)
        if present.count == 1 { return present[0] }
        let list = settings.map { "`\($0)`" }.joined(separator: ", ")
        let name = path.isEmpty ? "the file" : "`\(path)`"
        if present.isEmpty {
            faults.add(place, .missingSetting, "\(name): one of \(list) is needed")
        } else {
            faults.add(place(of: present[1]), .conflict, "\(name): only one of \(list) can be set")
        }
        return nil
    }

    /// The end of a name in a message: not the whole of a long text.
    private func shown(_ text: String) -> String { name(String(String.UnicodeScalarView(text.unicodeScalars.prefix(64)))) }
}

// MARK: Values

extension SettingsSection {
    /// A text that is not empty.
    ///
    /// - Parameters:
    ///   - meaning: what it is, for a message.
    ///   - takesAny: whether a number and a flag stand for their text in every language.
    package func text(_ setting: String, meaning: String = "a text", takesAny: Bool = false) -> String? {
        guard let node = node(setting) else { return nil }
        guard let text = takesAny ? node.scalar : node.text, !text.isEmpty else {
            fault(setting, .wrongKind, "\(meaning) is expected")
            return nil
        }
        return withoutControls(text, setting)
    }

    /// Nil, with a fault, for a text that two readers may read differently.
    private func withoutControls(_ text: String, _ setting: String) -> String? {
        guard text.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" && $0 != "\t" || $0.value == 127 }) else { return text }
        fault(setting, .invalidValue, "has control characters")
        return nil
    }

    /// A text that has to be there.
    package func requiredText(_ setting: String) -> String? {
        guard has(setting) else {
            faults.add(place, .missingSetting, "`\(name(setting))`: is missing")
            return nil
        }
        return text(setting)
    }

    package func integer(_ setting: String, _ range: ClosedRange<Int>) -> Int? {
        guard let node = node(setting) else { return nil }
        guard case .text(let text, false) = node.content, let value = Int(text) else {
            fault(setting, .wrongKind, "a whole number is expected")
            return nil
        }
        // YAML 1.1 reads `010` as eight, and this reader as ten.
        guard "\(value)" == text else {
            fault(setting, .invalidValue, "a number is written in decimal digits, without a sign and without a leading zero: \(value)")
            return nil
        }
        guard range.contains(value) else {
            fault(setting, .invalidValue, "between \(range.lowerBound) and \(range.upperBound), not \(value)")
            return nil
        }
        return value
    }

    /// A span in whole seconds.
    package func seconds(_ setting: String, _ range: ClosedRange<Int>) -> Duration? { integer(setting, range).map { .seconds($0) } }

    package func flag(_ setting: String) -> Bool? {
        guard let node = node(setting) else { return nil }
        guard case .text(let text, false) = node.content, ["true", "false"].contains(text) else {
            fault(setting, .wrongKind, "`true` or `false` is expected")
            return nil
        }
        return text == "true"
    }

    /// One of the values of an enumeration.
    package func choice<Choice: RawRepresentable & CaseIterable>(_ setting: String, _ type: Choice.Type = Choice.self) -> Choice?
    where Choice.RawValue == String {
        guard let text = text(setting) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        fault(setting, .invalidValue, "is one of \(names.joined(separator: ", "))\(Suggestion.question(text, in: names))")
        return nil
    }

    /// A list of texts; one text alone is a list of one.
    ///
    /// - Parameter takesAny: as in ``text(_:meaning:takesAny:)``.
    package func texts(_ setting: String, takesAny: Bool = false) -> [String]? {
        guard let node = node(setting) else { return nil }
        if let text = takesAny ? node.scalar : node.text, !text.isEmpty { return withoutControls(text, setting).map { [$0] } }
        guard case .list(let elements) = node.content else {
            fault(setting, .wrongKind, "a list of texts is expected")
            return nil
        }
        // An empty list reads like "none", and some of these settings would mean "any".
        if elements.isEmpty { fault(setting, .wrongKind, "the list is empty; write its texts, or leave the setting out") }
        return elements.compactMap { element in
            if let text = takesAny ? element.scalar : element.text, !text.isEmpty { return withoutControls(text, setting) }
            faults.add(element.place, .wrongKind, "`\(name(setting))`: a text is expected")
            return nil
        }
    }

    /// The elements of a list, each with its path for messages.
    package func elements(_ setting: String) -> [(node: SettingsNode, path: String)] {
        guard let node = node(setting) else { return [] }
        guard case .list(let elements) = node.content else {
            fault(setting, .wrongKind, "a list is expected, each element after `- `")
            return []
        }
        return elements.enumerated().map { ($1, "\(name(setting))[\($0 + 1)]") }
    }

    package func section(_ setting: String, names: [String]) -> SettingsSection? {
        node(setting).flatMap { SettingsSection($0, name(setting), names: names, faults) }
    }

    /// A section with names of the operator's choice, and texts.
    package func pairs(_ setting: String) -> [(name: String, value: String)] {
        guard let node = node(setting) else { return [] }
        guard case .section(let members) = node.content else {
            fault(setting, .wrongKind, "settings are expected here, each as `name: value`")
            return []
        }
        return members.compactMap { member in
            if let text = member.value.text { return (member.name, text) }
            faults.add(member.place, .wrongKind, "`\(name(setting)).\(member.name)`: a text is expected")
            return nil
        }
    }
}
