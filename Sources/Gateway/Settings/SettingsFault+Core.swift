extension SettingsFault {
    /// A fault that the core's own check has found, at the place of the element that it names.
    package init(_ failure: ConfigurationFault, in root: SettingsNode? = nil) {
        let path = Self.inFile(failure.path)
        // The core names its own cases, and the file has other words.
        let sentence = failure.code.summary.replacing("allowMissing", with: "allow-missing").replacing("allowFailed", with: "allow-failed")
        self.init(root?.place(of: path) ?? .unknown, .invalidValue, "`\(Self.setting(path))`: \(sentence)")
    }

    /// A fault of a setting that does not fit to others. The path is in the words of the file.
    package init(_ code: Code, at path: [ConfigurationFault.Step], in root: SettingsNode, _ text: String) {
        self.init(root.place(of: path), code, "`\(Self.setting(path))`: \(text)")
    }

    /// The path in the words of the file, which names some members of ``GatewayConfiguration`` otherwise.
    private static func inFile(_ path: [ConfigurationFault.Step]) -> [ConfigurationFault.Step] {
        var path = path, parent = ""
        // The file has the settings of an issuer in its provider.
        if path.last == .member("storage") { path.removeAll { $0 == .member("issuer") } }
        return path.map { step in
            guard case .member(let name) = step else { return step }
            defer { parent = name }
            let named =
                switch (parent, name) {
                case ("claimHeaders", "name"): "header"
                case (_, "claimHeaders"), (_, "claimRules"): "claims"
                case (_, "sources"): "tokenFrom"
                case (_, "requirement"): "requires"
                case (_, "fields"): "headers"
                case (_, "browserRedirect"): "browsers"
                case (_, "passesOnce"): "once"
                case (_, "proofs"): "dpop"
                case (_, "contextClasses"): "acrValues"
                case (_, "maximumAuthenticationAge"): "maximumAuthenticationAgeSeconds"
                default: name
                }
            return .member(named)
        }
    }

    /// The path as text. The first element of a list is 1.
    private static func setting(_ path: [ConfigurationFault.Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            case .position(let position): text += "[\(position + 1)]"
            }
        }
    }
}

extension SettingsNode {
    /// The place of the deepest node on `path` that the configuration has.
    func place(of path: [ConfigurationFault.Step]) -> SettingsPlace {
        guard let step = path.first else { return place }
        switch (step, content) {
        case (.member(let name), .section(let members)):
            guard let member = members.first(where: { $0.name == name }) else { return place }
            return path.count == 1 ? member.place : member.value.place(of: Array(path.dropFirst()))
        case (.position(let position), .list(let elements)) where elements.indices.contains(position):
            return elements[position].place(of: Array(path.dropFirst()))
        default: return place
        }
    }
}
