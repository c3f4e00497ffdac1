/// The device's description in the header fields of every request. The server refuses missing values (`IDAAS.SDK.COMMON.1003`) and does not
/// verify the others.
public struct DeviceDescription: Hashable, Sendable {
    /// `X-operating-sys-version`.
    public var operatingSystem: String
    /// `X-agent`.
    public var agent: String
    /// `X-device-ip`, if the program knows its address.
    public var address: String?

    public init(operatingSystem: String? = nil, agent: String? = nil, address: String? = nil) {
        let system = operatingSystem ?? Self.system
        self.operatingSystem = system
        self.agent = agent ?? "assay-flows (\(system))"
        self.address = address
    }

    /// For example "Linux 6.1.0": ASCII, because a header field carries it.
    private static var system: String {
        "\(name) \(SystemVersion.text)"
    }

    private static var name: String {
        #if os(iOS)
        "iOS"
        #elseif os(macOS)
        "macOS"
        #elseif os(Linux)
        "Linux"
        #else
        "Swift"
        #endif
    }
}
