#if Gateway
internal import Gateway
internal import HTTPEdge

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension ListenerSettings {
    static func read(_ root: SettingsSection) -> [ListenerSettings] {
        let elements = root.elements("listeners")
        if elements.isEmpty { root.fault("listeners", .missingSetting, "at least one listener is needed") }
        var names: Set<String> = []
        return elements.compactMap { node, path in
            guard let section = SettingsSection(node, path, names: Self.names + ListenPlace.names, root.faults) else { return nil }
            if !section.has("profile") { section.fault("profile", .missingSetting, "is missing") }
            guard let profile = section.choice("profile", ListenerProfile.self),
                let place = ListenPlace.read(section, danger: profile.danger)
            else { return nil }
            guard let name = name(section, profile, &names) else { return nil }
            var listener = ListenerSettings(name: name, profile: profile, place: place)
            listener.readFacts(section)
            return listener
        }
    }

    private static let names = ["name", "profile", "pathPrefix", "contextHeaders", "handledFields", "certificate"]

    /// Its own name, or that of its profile.
    private static func name(_ section: SettingsSection, _ profile: ListenerProfile, _ names: inout Set<String>) -> String? {
        if section.has("name") { return SettingsNames.name(of: section, kind: "listeners", unlike: &names) }
        if !names.insert(profile.rawValue).inserted {
            section.fault("name", .repeatedName, "two listeners are called `\(profile.rawValue)`; give each a `name`")
        }
        return profile.rawValue
    }

    private mutating func readFacts(_ section: SettingsSection) {
        for setting in ["pathPrefix", "contextHeaders", "handledFields"] where profile == .resourceMetadata && section.has(setting) {
            section.fault(setting, .conflict, "is for listeners where decisions are asked")
        }
        if let prefix = section.text("pathPrefix") {
            if profile != .envoyHTTP { section.fault("pathPrefix", .conflict, "only the profile envoy-http has one") }
            if !prefix.hasPrefix("/") || prefix.hasSuffix("/") {
                section.fault("pathPrefix", .invalidValue, "begins with a slash and does not end with one")
            }
            pathPrefix = prefix
        }
        handledFields = section.texts("handledFields")
        for field in handledFields ?? [] {
            let name = field.hasSuffix("*") ? String(field.dropLast()) : field
            if SettingsNames.isToken(name), !name.contains("*") { continue }
            let text = "`\(field.prefix(64))` is no name of a header field, and no beginning of one with `*`"
            section.fault("handledFields", .invalidValue, text)
        }
        for (field, name) in section.pairs("contextHeaders") {
            if !SettingsNames.isToken(field) {
                section.fault("contextHeaders", .invalidValue, "has a name that is not one of a header field")
            }
            contextFields[field.lowercased()] = name
        }
        if !contextFields.isEmpty, profile == .envoyGRPC {
            section.fault("contextHeaders", .conflict, "Envoy sends `context_extensions` in its message instead")
        }
        certificateField = certificateField(section)
    }

    /// The field in which the gateway tells the client's certificate.
    private func certificateField(_ listener: SettingsSection) -> CertificateField? {
        guard let section = listener.section("certificate", names: ["field", "form"]) else { return nil }
        if profile == .envoyGRPC {
            listener.fault("certificate", .conflict, "Envoy sends `source.certificate` in its message instead")
        }
        guard let name = section.requiredText("field")?.lowercased(), let form = Self.form(section) else { return nil }
        let isTaken = contextFields[name] != nil || CertificateField.isTaken(name)
        guard SettingsNames.isToken(name), !isTaken else {
            section.fault("field", .invalidValue, isTaken ? "the field has another use" : "is not a name of a header field")
            return nil
        }
        return CertificateField(name: name, form: form)
    }

    private static func form(_ section: SettingsSection) -> CertificateForm? {
        let forms = CertificateForm.allCases.filter(\.isOfField), names = forms.map(\.rawValue)
        guard let text = section.requiredText("form") else { return nil }
        guard let form = forms.first(where: { $0.rawValue == text }) else {
            let expected = names.joined(separator: ", ")
            section.fault("form", .invalidValue, "one of \(expected) is expected\(Suggestion.question(text, in: names))")
            return nil
        }
        return form
    }
}

extension ListenerProfile {
    /// What everyone who reaches an open listener may do.
    fileprivate var danger: String {
        self == .resourceMetadata ? "may use up its connections" : "may ask here, and describe any request"
    }
}

extension ServiceConfiguration {
    mutating func readAdministration(_ root: SettingsSection) {
        guard let section = root.section("administration", names: ListenPlace.names + ["hosts"]) else { return }
        administration = ListenPlace.read(section) ?? administration
        administrationHosts = (section.texts("hosts") ?? []).map { $0.lowercased() }
        let isName: (String) -> Bool = { $0.utf8.allSatisfy { SettingsNames.isNameByte($0) } }
        if !administrationHosts.allSatisfy(isName) {
            section.fault("hosts", .invalidValue, "names of hosts without ports are expected")
        }
    }
}

extension ListenPlace {
    static let kinds = ["tcp", "unix", "activation"]
    static let names = kinds + ["mode", "owner", "group"]

    /// - Parameter danger: what everyone who reaches an open listener may do, for a warning.
    static func read(_ section: SettingsSection, danger: String = "may ask here, and describe any request") -> ListenPlace? {
        guard let kind = section.one(of: kinds) else { return nil }
        if kind != "unix" {
            for setting in ["mode", "owner", "group"] where section.has(setting) {
                section.fault(setting, .conflict, "only a listener at a `unix` path has one")
            }
        }
        switch kind {
        case "tcp": return tcp(section, danger)
        case "unix": return unix(section, danger)
        default: return section.text("activation").map(ListenPlace.activation)
        }
    }

    private static func tcp(_ section: SettingsSection, _ danger: String) -> ListenPlace? {
        guard let text = section.text("tcp") else { return nil }
        guard let address = ListenAddress(text), address.isNumeric else {
            section.fault("tcp", .invalidValue, "an IP address or localhost with a port is expected, as in 127.0.0.1:9191")
            return nil
        }
        if ["0.0.0.0", "[::]", "::"].contains(where: { text.hasPrefix($0 + ":") }) {
            section.warn("tcp", "everyone who reaches this machine \(danger); name one address")
        }
        return .tcp(text)
    }

    private static func unix(_ section: SettingsSection, _ danger: String) -> ListenPlace? {
        guard let path = section.text("unix") else { return nil }
        guard path.hasPrefix("/"), path.utf8.count <= SocketPath.longest else {
            section.fault("unix", .invalidValue, "a path from / of at most \(SocketPath.longest) bytes is expected")
            return nil
        }
        var place = UnixPlace(path: path)
        if let mode = section.text("mode") {
            guard let bits = UInt32(mode, radix: 8), bits <= 0o777, mode.utf8.count >= 3 else {
                section.fault("mode", .invalidValue, "octal digits are expected, as in \"0660\"")
                return nil
            }
            place.mode = bits
            if bits & 0o007 != 0 { section.warn("mode", "everyone on this machine \(danger)") }
        }
        place.owner = section.text("owner")
        place.group = section.text("group")
        if let owner = place.owner, UInt32(owner) == nil, unsafe getpwnam(owner) == nil {
            section.fault("owner", .unknownName, "this machine has no user `\(owner.prefix(64))`")
        }
        if let group = place.group, UInt32(group) == nil, unsafe getgrnam(group) == nil {
            section.fault("group", .unknownName, "this machine has no group `\(group.prefix(64))`")
        }
        return .unix(place)
    }
}
#endif
