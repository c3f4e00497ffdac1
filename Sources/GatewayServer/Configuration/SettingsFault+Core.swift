#if Gateway
internal import Gateway

extension SettingsFault {
    /// A fault that the core's own check has found, at the line of the element that it names.
    init(_ failure: ConfigurationFault, in root: SettingsNode? = nil) {
        self.init(line: root?.line(of: failure.path) ?? 0, .invalidValue, "`\(failure.setting)`: \(failure.code.summary)")
    }
}

extension SettingsNode {
    /// The line of the deepest node on `path` that has the same name in the file.
    fileprivate func line(of path: [ConfigurationFault.Step]) -> Int {
        guard let step = path.first else { return line }
        switch (step, content) {
        case (.member(let name), .section(let members)):
            guard let member = members.first(where: { $0.name == Self.spelling(name) }) else { return line }
            return path.count == 1 ? member.line : member.value.line(of: Array(path.dropFirst()))
        case (.position(let position), .list(let elements)) where elements.indices.contains(position):
            return elements[position].line(of: Array(path.dropFirst()))
        default: return line
        }
    }

    /// The name in the file of a member of ``GatewayConfiguration``.
    private static func spelling(_ name: String) -> String {
        switch name {
        case "claimHeaders": "claims"
        case "sources": "tokenFrom"
        case "requirement": "requires"
        case "fields": "headers"
        default: name
        }
    }
}
#endif
