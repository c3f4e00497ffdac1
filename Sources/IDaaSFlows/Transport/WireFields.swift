internal import IDaaSWire

/// The fields that every request carries (section "Common headers" of the vendor's interface).
struct WireFields {
    private let common: [WireField]

    init(_ configuration: FlowConfiguration, fingerprint: String, requestID: String) {
        let optional = [
            (WireHeader.deviceAddress, configuration.device.address), (WireHeader.tenantID, configuration.tenantID),
        ]
        common =
            [
                // The vendor uses this spelling of the charset, and its servers compare it.
                WireField("Content-Type", "application/json;charset=utf8"),
                WireField("Accept", "application/json"),
                WireField(WireHeader.clientID, configuration.clientID),
                WireField(WireHeader.operatingSystem, configuration.device.operatingSystem),
                WireField(WireHeader.deviceFingerprint, fingerprint),
                WireField(WireHeader.agent, configuration.device.agent),
                WireField(WireHeader.language, configuration.language.rawValue),
                WireField(WireHeader.requestID, requestID),
            ] + optional.compactMap { name, value in value.map { WireField(name, $0) } } + configuration.fields
    }

    /// The fields of one call and the common ones. Of two fields with the same name, the first is used.
    func fields(with own: [WireField]) -> [WireField] {
        var seen: Set<String> = []
        return (own + common).filter { seen.insert($0.name.lowercased()).inserted }
    }
}
