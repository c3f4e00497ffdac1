#if Gateway
internal import Gateway

extension SettingsNode {
    /// Reads the one document of `text`.
    ///
    /// - Parameter file: the path of an included file; nil for the configuration's own.
    /// - Throws: `SettingsFault` for a document that is too large or too deep, is not YAML, or has anchors, aliases, tags
    ///   or line breaks that editors do not show.
    static func document(_ text: String, file: String? = nil) throws(SettingsFault) -> SettingsNode {
        do throws(SettingsFault) {
            return try whole(text, file)
        } catch {
            throw SettingsFault(SettingsPlace(file: file, line: error.line), error.code, error.text)
        }
    }

    private static func whole(_ text: String, _ file: String?) throws(SettingsFault) -> SettingsNode {
        guard text.utf8.count <= mostBytes else {
            throw SettingsFault(line: 0, .tooLarge, "the file has more than \(mostBytes) bytes")
        }
        try SettingsScan.check(text)
        let events = try YAMLEvents(text, file: file)
        var event = try events.next()
        while event.kind == .border { event = try events.next() }
        guard event.kind != .streamEnd else { return SettingsNode(at: SettingsPlace(file: file, line: 1), content: .section([])) }
        let root = try node(event, events, level: 0)
        // The end of the document, and then that of the text.
        _ = try events.next()
        event = try events.next()
        guard event.kind == .streamEnd else { throw SettingsFault(line: event.line, .notYAML, "not YAML: but found another document") }
        return root
    }

    private static func node(_ event: YAMLEvents.Event, _ events: YAMLEvents, level: Int) throws(SettingsFault) -> SettingsNode {
        guard !event.hasAnchor else { throw .anchor(line: event.line) }
        guard level < mostLevels else { throw .depth(line: event.line) }
        let place = SettingsPlace(file: events.file, line: event.line)
        switch event.kind {
        case .text(let text, let isQuoted): return SettingsNode(at: place, content: content(of: text, isQuoted))
        case .listStart: return SettingsNode(at: place, content: .list(try elements(events, level: level)))
        case .sectionStart: return SettingsNode(at: place, content: .section(try members(events, level: level)))
        default: throw SettingsFault(line: event.line, .notYAML, "the file is not YAML")
        }
    }

    private static func elements(_ events: YAMLEvents, level: Int) throws(SettingsFault) -> [SettingsNode] {
        var elements: [SettingsNode] = []
        while true {
            let event = try events.next()
            if event.kind == .listEnd { return elements }
            elements.append(try node(event, events, level: level + 1))
        }
    }

    private static func members(_ events: YAMLEvents, level: Int) throws(SettingsFault) -> [Member] {
        var members: [Member] = []
        while true {
            let key = try events.next()
            if key.kind == .sectionEnd { break }
            guard !key.hasAnchor, case .text(let name, _) = key.kind else {
                throw SettingsFault(line: key.line, .wrongKind, "a name is expected, not a list or a section")
            }
            let place = SettingsPlace(file: events.file, line: key.line)
            members.append(Member(name: name, at: place, value: try node(try events.next(), events, level: level + 1)))
        }
        try refuseRepeated(members)
        return members
    }

    private static func refuseRepeated(_ members: [Member]) throws(SettingsFault) {
        let repeated = Dictionary(grouping: members, by: \.name).filter { $1.count > 1 }.sorted { $0.key < $1.key }
        guard let first = repeated.first?.value.first else { return }
        throw SettingsFault(first.place, .repeatedName, "\(repeated.map(\.key).joined(separator: ", ")): set twice")
    }

    static func content(of text: String, _ isQuoted: Bool) -> Content {
        !isQuoted && ["", "~", "null", "Null", "NULL"].contains(text) ? .nothing : .text(text, isQuoted: isQuoted)
    }
}

extension SettingsFault {
    static func anchor(line: Int) -> Self {
        Self(line: line, .unsupportedYAML, "anchors and aliases are not read: write the value out, or in quotation marks if it is a text")
    }

    static func lineBreak(line: Int) -> Self {
        Self(line: line, .unsupportedYAML, "has a line break that editors do not show: CR, U+0085, U+2028 or U+2029")
    }

    static func depth(line: Int) -> Self { Self(line: line, .tooDeep, "nested deeper than \(SettingsNode.mostLevels) levels") }
}
#endif
