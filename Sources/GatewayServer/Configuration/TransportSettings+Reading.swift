#if Gateway
internal import Gateway
internal import HTTPGuard

extension TransportSettings {
    /// Reads a `transport`. What the section does not name stays as it is.
    ///
    /// - Parameter isOfProvider: whether it is for one provider, in place of the transport of all.
    mutating func read(_ section: SettingsSection, folder: String, isOfProvider: Bool) {
        authorities = section.file("authorities", in: folder) ?? authorities
        trustsOnlyAuthorities = section.flag("onlyTheseAuthorities") ?? trustsOnlyAuthorities
        allowsPrivateAddresses = section.flag("allowPrivateAddresses") ?? allowsPrivateAddresses
        allowsLoopback = section.flag("allowLoopback") ?? allowsLoopback
        timeout = section.seconds("timeoutSeconds", 1...60) ?? timeout
        clientCertificate = section.part("clientCertificate", names: ["certificate", "privateKey"], clientCertificate) {
            ClientCertificateFiles($0, folder: folder)
        }
        proxy = section.part("proxy", names: ["host", "port", "user", "passwordFile"], proxy) { ProxySettings($0, folder: folder) }
        bearerTokenFile = section.text("bearerTokenFile", meaning: "the path of a file").map { SettingsPath.path($0, in: folder) }
        if trustsOnlyAuthorities, authorities == nil {
            section.fault("onlyTheseAuthorities", .conflict, "no server is trusted without `authorities`")
        }
        if bearerTokenFile != nil, !isOfProvider {
            section.fault("bearerTokenFile", .conflict, "is a setting of one provider's `transport`: no other may get its token")
        }
    }

    static let names = [
        "authorities", "onlyTheseAuthorities", "allowPrivateAddresses", "allowLoopback", "clientCertificate", "proxy", "bearerTokenFile",
        "timeoutSeconds",
    ]
}

extension TransportSettings.ClientCertificateFiles {
    fileprivate init?(_ section: SettingsSection, folder: String) {
        section.require("certificate", "privateKey")
        guard let certificate = section.file("certificate", in: folder), let key = section.file("privateKey", in: folder) else {
            return nil
        }
        (self.certificate, privateKey) = (certificate, key)
    }
}

extension TransportSettings.ProxySettings {
    fileprivate init?(_ section: SettingsSection, folder: String) {
        section.require("host", "port")
        user = section.text("user")
        passwordFile = section.file("passwordFile", in: folder)
        if section.has("user") != section.has("passwordFile") {
            section.fault(section.has("user") ? "user" : "passwordFile", .conflict, "`user` and `passwordFile` need each other")
        }
        // RFC 7617 section 2.
        if let user, user.unicodeScalars.contains(where: { $0 == ":" || $0.value < 32 }) {
            section.fault("user", .invalidValue, "has no colon and no control characters")
        }
        guard let host = section.text("host"), let port = section.integer("port", 1...65_535) else { return nil }
        guard Self.isHost(host) else {
            section.fault("host", .invalidValue, "a name or an address is expected, without scheme, brackets and port")
            return nil
        }
        (self.host, self.port) = (host, UInt16(port))
    }

    private static func isHost(_ text: String) -> Bool {
        if IPAddress(numeric: text) != nil { return true }
        return text.utf8.count <= 253 && text.first != "." && text.last != "." && text.utf8.allSatisfy(SettingsNames.isNameByte)
    }
}

extension SettingsSection {
    /// The path of a file that can be read.
    fileprivate func file(_ setting: String, in folder: String) -> String? {
        guard let path = text(setting, meaning: "the path of a file").map({ SettingsPath.path($0, in: folder) }) else { return nil }
        if !SettingsFile.isReadable(path) { fault(setting, .invalidValue, "\(path) cannot be read") }
        return path
    }

    /// A section of its own, or `none` in place of the one that would be inherited.
    fileprivate func part<Part>(_ setting: String, names: [String], _ inherited: Part?, _ read: (SettingsSection) -> Part?) -> Part? {
        guard let node = node(setting) else { return inherited }
        if case .text("none", _) = node.content { return nil }
        return section(setting, names: names).flatMap(read)
    }

    /// Adds a fault for each setting that is absent.
    fileprivate func require(_ settings: String...) {
        for setting in settings where !stands(setting) { faults.add(place, .missingSetting, "`\(name(setting))`: is missing") }
    }
}
#endif
