#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import SharedSignals

extension SignalSettings {
    /// Reads `signals`; nil without the section.
    static func read(_ root: SettingsSection, folder: String, transport: TransportSettings) -> SignalSettings? {
        guard let section = root.section("signals", names: ListenPlace.names + ["log", "tokenSeconds", "streams"]) else { return nil }
        let elements = section.elements("streams")
        if elements.isEmpty { section.fault("streams", .missingSetting, "at least one stream is needed") }
        var names: Set<String> = []
        let streams = elements.compactMap { node, path -> Stream? in
            guard let stream = SettingsSection(node, path, names: StreamSettings.names, section.faults) else { return nil }
            return StreamSettings(section: stream, folder: folder).stream(unlike: &names, transport: transport)
        }
        guard let log = section.requiredText("log") else { return nil }
        var settings = SignalSettings(log: SettingsPath.path(log, in: folder), streams: streams)
        settings.tokenLifetime = section.seconds("tokenSeconds", 60...2_592_000) ?? settings.tokenLifetime
        settings.readPlace(section)
        settings.checkPaths(section)
        return settings
    }

    private mutating func readPlace(_ section: SettingsSection) {
        let isListening = ListenPlace.kinds.contains(where: section.has), isPushed = streams.contains { $0.path != nil }
        if isPushed || isListening { place = ListenPlace.read(section, danger: "may send events here, without TLS") }
        if isListening, !isPushed, !streams.isEmpty {
            section.fault("streams", .conflict, "none has `push`, so nothing arrives at the listener")
        }
    }

    private func checkPaths(_ section: SettingsSection) {
        let paths = streams.compactMap(\.path)
        if Set(paths.map { Array($0.utf8) }).count < paths.count {
            section.fault("streams", .repeatedName, "two have one `path`; each stream needs its own")
        }
    }
}

/// Reads an element of `signals.streams`.
private struct StreamSettings {
    static let names = [
        "name", "issuer", "audience", "keys", "revokes", "onCredentialChange", "maximumAgeSeconds", "leewaySeconds", "mostTokens", "push",
        "poll", "transport",
    ]

    /// What a changed credential does.
    private enum CredentialChange: String, CaseIterable {
        case ignore
        case revoke
    }

    let section: SettingsSection
    let folder: String

    func stream(unlike names: inout Set<String>, transport: TransportSettings) -> SignalSettings.Stream? {
        let name = SettingsNames.name(of: section, kind: "streams", unlike: &names)
        let issuer = section.requiredText("issuer"), audience = section.requiredText("audience"), delivery = delivery
        guard let name, let issuer, let audience, let delivery, let keys = keys(of: issuer) else { return nil }
        var stream = SignalSettings.Stream(
            name: name, issuer: issuer, audience: audience, keys: keys, revokes: section.text("revokes") ?? issuer,
            mostTokens: section.integer("mostTokens", 1...16_777_216) ?? SecurityEventMemory.standardCapacity, delivery: delivery,
            transport: transport)
        stream.credentialChangeRevokes = section.choice("onCredentialChange", CredentialChange.self) == .revoke
        stream.maximumAge = section.seconds("maximumAgeSeconds", 1...2_592_000) ?? stream.maximumAge
        stream.leeway = section.seconds("leewaySeconds", 0...600) ?? stream.leeway
        if let own = section.section("transport", names: TransportSettings.names.filter { $0 != "bearerTokenFile" }) {
            stream.transport.read(own, folder: folder, isOfProvider: true)
        }
        return stream
    }

    private func keys(of issuer: String) -> KeySetSource? {
        guard let keys = section.section("keys", names: ["url", "file"]) else {
            if isURL(issuer) { return .issuer(issuer) }
            section.fault("issuer", .invalidValue, "an https URL, or `keys` has to say where its keys are")
            return nil
        }
        guard let kind = keys.one(of: ["url", "file"]), let text = keys.text(kind) else { return nil }
        if kind == "file" { return .file(SettingsPath.path(text, in: folder)) }
        guard isURL(text) else {
            keys.fault("url", .invalidValue, Self.urlWanted)
            return nil
        }
        return .jwks(url: text)
    }

    private var delivery: SignalSettings.Delivery? {
        switch section.one(of: ["push", "poll"]) {
        case "push": section.section("push", names: ["path"] + Self.secrets).flatMap(push).map { .push($0) }
        case "poll":
            section.section("poll", names: ["url", "intervalSeconds", "waitSeconds", "mostEvents"] + Self.secrets)
                .flatMap(poll).map { .poll($0) }
        default: nil
        }
    }

    private func push(_ section: SettingsSection) -> SignalSettings.Push? {
        guard let path = section.requiredText("path") else { return nil }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"?#%".utf8.contains($0) }) else {
            section.fault("path", .invalidValue, "a path from / is expected, without a query and without `%`")
            return nil
        }
        return SignalSettings.Push(path: path, secret: secret(section))
    }

    private func poll(_ section: SettingsSection) -> SignalSettings.Poll? {
        guard let url = section.requiredText("url") else { return nil }
        guard isURL(url) else {
            section.fault("url", .invalidValue, Self.urlWanted)
            return nil
        }
        var poll = SignalSettings.Poll(url: url, secret: secret(section))
        poll.interval = section.seconds("intervalSeconds", 1...3_600) ?? poll.interval
        poll.wait = section.seconds("waitSeconds", 0...120) ?? poll.wait
        poll.mostEvents = section.integer("mostEvents", 1...1_024) ?? poll.mostEvents
        return poll
    }

    private static let secrets = ["secret", "secretFile"]
    private static let urlWanted = "an https URL is expected, or http on this machine, without user, password and fragment"

    private func secret(_ section: SettingsSection) -> SignalSecret? {
        guard Self.secrets.contains(where: section.has), let kind = section.one(of: Self.secrets), let text = section.text(kind) else {
            return nil
        }
        let secret: SignalSecret = kind == "secret" ? .text(text) : .file(SettingsPath.path(text, in: folder))
        if secret.current == nil {
            section.fault(kind, .invalidValue, "a bearer token of 16 to 4096 letters, digits and `-._~+/` is expected")
        }
        return secret
    }

    private func isURL(_ text: String) -> Bool {
        guard let url = URLText(text), !url.host.isEmpty, !url.hasUser, url.fragment == nil else { return false }
        return text.hasPrefix("https:") || text.hasPrefix("http:") && ["localhost", "127.0.0.1", "[::1]"].contains(url.host)
    }
}
#endif
