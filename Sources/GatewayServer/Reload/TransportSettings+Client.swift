#if Gateway
internal import Gateway
internal import HTTPGuard
internal import JWKSCache

extension TransportSettings {
    /// A client with these settings. Its certificates and its password are read here, a bearer token before each request.
    ///
    /// - Parameters:
    ///   - setting: the name of the section, for a message.
    ///   - source: the first place of the provider's keys, whose origin alone gets the token.
    ///   - bodyBytes: of a response; nil: those of a document with keys.
    /// - Throws: `SettingsFailure`.
    func client(_ setting: String, for source: KeySetSource? = nil, bodyBytes: Int? = nil) throws(SettingsFailure) -> GuardedClient {
        do {
            var configuration = try configuration(for: source)
            if let bodyBytes { configuration.limits.bodyBytes = bodyBytes }
            return try GuardedClient(configuration)
        } catch {
            throw SettingsFailure([SettingsFault(line: 0, .invalidValue, "`\(setting)`: \(error)")])
        }
    }

    private func configuration(for source: KeySetSource?) throws -> GuardedClient.Configuration {
        var client = GuardedClient.Configuration()
        client.limits = RequestLimits(total: timeout, connect: min(timeout, .seconds(1)))
        client.addresses = AddressPolicy(allowsLoopback: allowsLoopback, allowsPrivate: allowsPrivateAddresses)
        client.allowsLoopbackHTTP = allowsLoopback
        if let authorities { client.trustRoots = trustsOnlyAuthorities ? .only(.file(authorities)) : .systemAnd(.file(authorities)) }
        client.clientCertificate = clientCertificate.map { ClientCertificate(chain: .file($0.certificate), key: .file($0.privateKey)) }
        client.proxy = try proxy?.proxy
        if let bearerTokenFile, let address = source?.address {
            client.bearerToken = BearerTokenFile(origin: try Origin(address), path: bearerTokenFile)
        }
        client.userAgent = "assay-gateway"
        return client
    }
}

extension TransportSettings.ProxySettings {
    fileprivate var proxy: Proxy {
        get throws {
            guard let user, let passwordFile else { return Proxy(host: host, port: port) }
            return Proxy(host: host, port: port, credentials: .init(user: user, password: try Self.password(passwordFile)))
        }
    }

    /// The longest file of a password, in bytes.
    private static let mostBytes = 4_096

    /// The text of the file without the line break at its end.
    private static func password(_ path: String) throws -> String {
        guard let bytes = try? RegularFile.read(path, limit: mostBytes), let text = String(validating: bytes, as: UTF8.self) else {
            throw UnusablePassword(description: "\(path) cannot be read as a password of at most \(mostBytes) bytes")
        }
        let password = text.hasSuffix("\r\n") || text.hasSuffix("\n") ? text.dropLast() : text[...]
        // RFC 7617 section 2.
        guard !password.isEmpty, password.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
            throw UnusablePassword(description: "\(path) is empty, or has control characters in its password")
        }
        return String(password)
    }

    private struct UnusablePassword: Error, CustomStringConvertible {
        let description: String
    }
}
#endif
