internal import Foundation

/// What a device says of itself in the fields of every request. Wrong values harm nobody, missing ones are refused by the server
/// (`IDAAS.SDK.COMMON.1003`).
public struct DeviceDescription: Hashable, Sendable {
    /// `X-operating-sys-version`.
    public var operatingSystem: String
    /// `X-agent`.
    public var agent: String
    /// `X-device-ip`, where the program knows it.
    public var address: String?

    public init(operatingSystem: String? = nil, agent: String? = nil, address: String? = nil) {
        let system = operatingSystem ?? Self.system
        self.operatingSystem = system
        self.agent = agent ?? "assay-flows (\(system))"
        self.address = address
    }

    /// As "Linux 6.1.0": ASCII, since it stands in a header field.
    private static var system: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return "\(name) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
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
