#if Gateway
internal import Gateway

extension SettingsNode {
    /// What an included file may have. Every other setting is for the whole service, and stands in its main file.
    private static let includedLists = ["providers", "resources", "policies", "routes"]

    /// Adds a fault for each setting of an included file that is none of ``includedLists``.
    func checkIncluded(_ faults: FaultList) {
        switch content {
        // All may be commented out.
        case .nothing: return
        case .section(let members):
            for member in members { Self.checkIncluded(member, faults) }
        case .text, .list: faults.add(place, .wrongKind, "lists are expected here: \(Self.listNames)")
        }
    }

    private static let listNames = includedLists.map { "`\($0)`" }.joined(separator: ", ")

    private static func checkIncluded(_ member: Member, _ faults: FaultList) {
        guard includedLists.contains(member.name) else {
            let name = member.name.prefix(64), question = Suggestion.question(member.name, in: includedLists)
            return faults.add(member.place, .unknownSetting, "`\(name)`: an included file has only \(listNames)\(question)")
        }
        switch member.value.content {
        case .nothing, .list: return
        case .text, .section: faults.add(member.place, .wrongKind, "`\(member.name)`: a list is expected, each element after `- `")
        }
    }

    /// This file's settings with the elements of `parts` behind its own.
    func appending(_ parts: [SettingsNode]) -> SettingsNode {
        guard case .section(var members) = content else { return self }
        for name in Self.includedLists {
            let more = parts.flatMap { $0.elements(name) }, position = members.firstIndex { $0.name == name }
            // A list of another kind is at fault by itself.
            guard let first = more.first, position.map({ members[$0].value.isList }) ?? true else { continue }
            let list = SettingsNode(at: position.map { members[$0].value.place } ?? first.place, content: .list(elements(name) + more))
            let member = Member(name: name, at: position.map { members[$0].place } ?? first.place, value: list)
            if let position { members[position] = member } else { members.append(member) }
        }
        return SettingsNode(at: place, content: .section(members))
    }

    /// Whether it is a list, or nothing: the elements of a list may all be commented out.
    private var isList: Bool {
        switch content {
        case .nothing, .list: true
        case .text, .section: false
        }
    }

    private func elements(_ name: String) -> [SettingsNode] {
        guard case .section(let members) = content, case .list(let elements) = members.first(where: { $0.name == name })?.value.content
        else {
            return []
        }
        return elements
    }
}
#endif
