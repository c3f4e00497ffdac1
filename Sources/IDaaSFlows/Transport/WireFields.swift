/// The fields that every request carries (section "Common headers" of the vendor's interface).
struct WireFields {
    private let common: [WireField]

    init(_ configuration: FlowConfiguration, fingerprint: String, requestID: String) {
        let optional = [
            ("X-device-ip", configuration.device.address), ("X-tenant-id", configuration.tenantID),
        ]
        common =
            [
                // The vendor's spelling of the charset; its servers compare it.
                WireField("Content-Type", "application/json;charset=utf8"),
                WireField("Accept", "application/json"),
                WireField("X-client-id", configuration.clientID),
                WireField("X-operating-sys-version", configuration.device.operatingSystem),
                WireField("X-device-fingerprint", fingerprint),
                WireField("X-agent", configuration.device.agent),
                WireField("X-L", configuration.language.rawValue),
                WireField("X-Request-Id", requestID),
            ] + optional.compactMap { name, value in value.map { WireField(name, $0) } } + configuration.fields
    }

    /// The common fields and those of one call; the first of a name stands.
    func fields(with own: [WireField]) -> [WireField] {
        var seen: Set<String> = []
        return (own + common).filter { seen.insert($0.name.lowercased()).inserted }
    }
}
