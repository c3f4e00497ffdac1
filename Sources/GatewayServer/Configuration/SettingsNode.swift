#if Gateway
internal import Yams

/// A value of a YAML document with its line.
struct SettingsNode {
    let line: Int
    let content: Content

    enum Content {
        /// No value, `~` or `null`.
        case nothing
        /// A scalar as it is written, and whether it is in quotation marks or a block.
        case text(String, isQuoted: Bool)
        case list([SettingsNode])
        case section([Member])
    }

    struct Member {
        let name: String
        let line: Int
        let value: SettingsNode
    }

    /// The largest document, in bytes.
    static let mostBytes = 1_048_576
    /// The deepest nesting of lists and sections. A configuration needs eight.
    static let mostLevels = 16

    /// Reads the one document of `text`.
    ///
    /// - Throws: ``SettingsFault`` for a document that is too large or too deep, is not YAML, or has anchors, aliases, tags
    ///   or line breaks that editors do not show.
    static func document(_ text: String) throws(SettingsFault) -> SettingsNode {
        guard text.utf8.count <= mostBytes else {
            throw SettingsFault(line: 0, .tooLarge, "the file has more than \(mostBytes) bytes")
        }
        try SettingsScan.check(text)
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw fault(error)
        } catch {
            throw SettingsFault(line: 0, .notYAML, "the file is not YAML")
        }
        guard let root else { return SettingsNode(line: 1, content: .section([])) }
        return try node(root, level: 0)
    }

    private static func node(_ node: Node, level: Int) throws(SettingsFault) -> SettingsNode {
        let line = node.mark?.line ?? 0
        guard node.anchor == nil, node.alias == nil else { throw .anchor(line: line) }
        guard level < mostLevels else { throw .depth(line: line) }
        switch node {
        case .scalar(let scalar): return SettingsNode(line: line, content: content(of: scalar, node))
        case .sequence(let sequence):
            var elements: [SettingsNode] = []
            for element in sequence { elements.append(try self.node(element, level: level + 1)) }
            return SettingsNode(line: line, content: .list(elements))
        case .mapping(let mapping):
            var members: [Member] = []
            for (key, value) in mapping {
                let line = key.mark?.line ?? line
                guard key.anchor == nil, let name = key.scalar?.string else {
                    throw SettingsFault(line: line, .wrongKind, "a name is expected, not a list or a section")
                }
                members.append(Member(name: name, line: line, value: try self.node(value, level: level + 1)))
            }
            return SettingsNode(line: line, content: .section(members))
        case .alias: throw .anchor(line: line)
        }
    }

    private static func content(of scalar: Node.Scalar, _ node: Node) -> Content {
        let isQuoted = scalar.style != .plain && scalar.style != .any
        return !isQuoted && node.null != nil ? .nothing : .text(scalar.string, isQuoted: isQuoted)
    }

    /// Yams adds a copy of the line to its descriptions; a line can hold a secret.
    private static func fault(_ error: YamlError) -> SettingsFault {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
            SettingsFault(line: mark.line, .notYAML, "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let names, let context):
            SettingsFault(
                line: context.mark.line, .repeatedName, "\(names.map(String.init(describing:)).joined(separator: ", ")): set twice")
        case .reader(let problem, _, _, _): SettingsFault(line: 0, .notYAML, "not YAML: \(problem)")
        default: SettingsFault(line: 0, .notYAML, "the file is not YAML in UTF-8")
        }
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
