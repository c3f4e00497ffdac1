#if Gateway
internal import Gateway
internal import HTTPEdge
internal import Logging

extension ServiceConfiguration {
    /// Reads `log`. Listeners and providers have been read: what the log may have depends on them.
    mutating func readLog(_ root: SettingsSection) {
        guard let section = root.section("log", names: ["level", "access", "fields", "requestIDHeader", "clientHeader"]) else { return }
        log.level = section.choice("level", Logger.Level.self)?.rawValue ?? log.level
        log.access = section.choice("access") ?? log.access
        log.fields = Self.fields(section)
        decisions.keepsSubjects = log.fields.contains(.subject)
        log.requestIDHeader = header("requestIDHeader", .requestID, section) ?? log.requestIDHeader
        log.clientHeader = header("clientHeader", .client, section)
        if log.fields.contains(.requestID) { refuse(log.requestIDHeader, "requestIDHeader", section) }
        if let name = log.clientHeader { refuse(name, "clientHeader", section) }
        let listeners = decisionListeners
        if log.fields.contains(.requestID), !listeners.isEmpty, !listeners.contains(where: { $0.delivers(field: log.requestIDHeader) }) {
            section.fault("requestIDHeader", .conflict, "no listener gets the field `\(log.requestIDHeader)` of the client")
        }
        if log.fields.contains(.client), !section.has("clientHeader"), !listeners.isEmpty, !listeners.contains(where: \.tellsClient) {
            let text = "no listener's gateway always tells the client's address; name the field that it sets in `clientHeader`"
            section.fault("fields", .missingSetting, text)
        }
    }

    private static let fieldNames: [(name: String, field: LogSettings.AccessFields)] = [
        ("client", .client), ("subject", .subject), ("requestID", .requestID),
    ]

    private static func fields(_ section: SettingsSection) -> LogSettings.AccessFields {
        var fields: LogSettings.AccessFields = []
        for text in section.texts("fields") ?? [] {
            guard let field = fieldNames.first(where: { $0.name == text })?.field else {
                let names = fieldNames.map(\.name)
                section.fault(
                    "fields", .invalidValue, "each is one of \(names.joined(separator: ", "))\(Suggestion.question(text, in: names))")
                continue
            }
            if !fields.insert(field).inserted { section.fault("fields", .repeatedName, "has `\(text)` twice") }
        }
        return fields
    }

    /// The name of a header field in lower case.
    private func header(_ setting: String, _ field: LogSettings.AccessFields, _ section: SettingsSection) -> String? {
        guard let name = section.text(setting)?.lowercased() else { return nil }
        let word = Self.fieldNames.first { $0.field == field }?.name ?? ""
        if !log.fields.contains(field) { section.fault(setting, .conflict, "is of no use without `\(word)` in `fields`") }
        guard SettingsNames.isToken(name) else {
            section.fault(setting, .invalidValue, "is not a name of a header field")
            return nil
        }
        return name
    }

    /// Adds a fault if tokens come in the field.
    private func refuse(_ name: String, _ setting: String, _ section: SettingsSection) {
        guard Self.credentials.contains(name) || fieldsOfTokens.contains(name) else { return }
        section.fault(setting, .conflict, "tokens come in the field `\(name)`, and a log has none")
    }

    private static let credentials = ["authorization", "cookie", "proxy-authorization", "sec-websocket-protocol", "set-cookie"]

    /// The fields of the client and of the gateways' context that providers take tokens from.
    private var fieldsOfTokens: [String] {
        decisions.providers.flatMap(\.sources).flatMap { source -> [String] in
            switch source {
            case .header(let name, _): [name]
            case .context(let key): listeners.flatMap { $0.contextFields.filter { $0.value == key }.keys }
            case .authorization, .cookie, .query, .webSocketProtocol: []
            }
        }
    }
}

extension ListenerSettings {
    /// Whether its gateway always tells the client's address.
    fileprivate var tellsClient: Bool { GatewayProfile(self)?.tellsClient ?? true }
}
#endif
