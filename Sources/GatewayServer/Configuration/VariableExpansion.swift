#if Gateway
internal import Gateway

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Puts values of the environment's variables into texts of a configuration: `${NAME}`, or `${NAME:-default}` where the variable may be unset
/// or empty. `$${` stands for `${`.
///
/// The texts are those of a tree that has been read, so a value never adds a setting, an element or a comment.
struct VariableExpansion {
    /// Nil: that of this process.
    private let environment: [String: String]?
    let faults: FaultList
    private(set) var texts = ExpandedTexts()
    /// Of all texts with variables.
    private var bytes = 0

    private static let mostValueBytes = 65_536

    init(_ environment: [String: String]?, _ faults: FaultList) {
        self.environment = environment
        self.faults = faults
    }

    /// The tree with its values. A text whose variable is at fault stays as it is.
    mutating func expand(_ node: SettingsNode) -> SettingsNode {
        switch node.content {
        case .nothing: return node
        case .text(let text, let isQuoted):
            return SettingsNode(at: node.place, content: expand(text, isQuoted, node.place) ?? node.content)
        case .list(let elements):
            var expanded: [SettingsNode] = []
            for element in elements { expanded.append(expand(element)) }
            return SettingsNode(at: node.place, content: .list(expanded))
        case .section(let members):
            var expanded: [SettingsNode.Member] = []
            for member in members {
                expanded.append(SettingsNode.Member(name: member.name, at: member.place, value: expand(member.value)))
            }
            return SettingsNode(at: node.place, content: .section(expanded))
        }
    }

    /// Nil, with a fault, where a variable is at fault.
    private mutating func expand(_ text: String, _ isQuoted: Bool, _ place: SettingsPlace) -> SettingsNode.Content? {
        do throws(SettingsFault) {
            let template = try VariableTemplate(text, at: place)
            var value = ""
            for part in template.parts { value += try self.text(of: part, place) }
            guard template.hasVariables else { return .text(value, isQuoted: isQuoted) }
            bytes += value.utf8.count
            guard bytes <= SettingsNode.mostBytes else {
                throw SettingsFault(place, .tooLarge, "texts with variables have more than \(SettingsNode.mostBytes) bytes together")
            }
            texts.insert(value, from: text)
            // A plain scalar of one variable alone may be a number or a flag.
            return SettingsNode.content(of: value, isQuoted || template.parts.count > 1)
        } catch {
            faults.add(error)
            return nil
        }
    }

    private func text(of part: VariableTemplate.Part, _ place: SettingsPlace) throws(SettingsFault) -> String {
        switch part {
        case .text(let text): return text
        case .variable(let name, let standard):
            guard let value = value(of: name), !value.isEmpty else {
                if let standard { return standard }
                throw SettingsFault(
                    place, .unknownName, "the variable `\(name)` of the environment is not set, or is empty (`${\(name):-default}`)")
            }
            guard value.utf8.count <= Self.mostValueBytes else {
                throw SettingsFault(place, .tooLarge, "the variable `\(name)` has more than \(Self.mostValueBytes) bytes")
            }
            guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw SettingsFault(place, .invalidValue, "the variable `\(name)` has control characters")
            }
            return value
        }
    }

    /// Nil if the variable is not set, or is not UTF-8.
    private func value(of name: String) -> String? {
        if let environment { return environment[name] }
        // SAFETY: the value is copied at once. The service does not change its environment.
        return unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }
}
#endif
