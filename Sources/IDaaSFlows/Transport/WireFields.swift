internal import IDaaSWire
internal import JWKSCache

/// The fields that every request carries (section "Common headers" of the vendor's interface).
struct WireFields {
    private let common: [HeaderField]

    init(_ configuration: FlowConfiguration, fingerprint: String, requestID: String) {
        let optional = [
            (WireHeader.deviceAddress, configuration.device.address), (WireHeader.tenantID, configuration.tenantID),
        ]
        common =
            [
                // The vendor uses this spelling of the charset, and its servers compare it.
                HeaderField("Content-Type", "application/json;charset=utf8"),
                HeaderField("Accept", "application/json"),
                HeaderField(WireHeader.clientID, configuration.clientID),
                HeaderField(WireHeader.operatingSystem, configuration.device.operatingSystem),
                HeaderField(WireHeader.deviceFingerprint, fingerprint),
                HeaderField(WireHeader.agent, configuration.device.agent),
                HeaderField(WireHeader.language, configuration.language.rawValue),
                HeaderField(WireHeader.requestID, requestID),
            ] + optional.compactMap { name, value in value.map { HeaderField(name, $0) } } + configuration.fields
    }

    /// The fields of one call and the common ones. Of two fields with the same name, the first is used.
    func fields(with own: [HeaderField]) -> [HeaderField] {
        var seen: Set<String> = []
        return (own + common).filter { seen.insert($0.name.lowercased()).inserted }
    }
}
