#if IDaaS
internal import Foundation
package import Secrets

extension ServerKey {
    /// The environment variable that comes before the file.
    package static let variable = "ASSAY_IDAAS_KEY"

    /// The server's key: from the environment, else from the configured file, else in development from a file beside the database that is
    /// made when it is not there.
    ///
    /// - Throws: `ConfigurationError` where there is none, it is not 32 bytes, or its file can be read by others.
    package static func load(_ configuration: ServerConfiguration, environment: [String: String], randomness: Randomness) throws
        -> ServerKey
    {
        if let text = environment[variable], !text.isEmpty { return try key(text, from: variable) }
        guard configuration.keyFile.isEmpty else { return try key(file: configuration.keyFile) }
        guard configuration.development else {
            throw ConfigurationError("keyFile: the server needs a key, in a file or in \(variable): 32 bytes as 64 hexadecimal digits")
        }
        let path = configuration.database + ".key"
        if !FileManager.default.fileExists(atPath: path) { try make(path, randomness) }
        return try key(file: path)
    }

    private static func key(file path: String) throws -> ServerKey {
        guard let data = FileManager.default.contents(atPath: path),
            let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
        else { throw ConfigurationError("keyFile: \(path) cannot be read") }
        guard mode & 0o077 == 0 else { throw ConfigurationError("keyFile: \(path) can be read by others; chmod 600 it") }
        return try key(String(decoding: data, as: UTF8.self), from: path)
    }

    private static func key(_ text: String, from source: String) throws -> ServerKey {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let bytes = hexadecimal(text) ?? Data(base64Encoded: text).map(Array.init)
        guard let bytes, bytes.count == byteCount else {
            throw ConfigurationError("\(source): 32 bytes are expected, as 64 hexadecimal digits or in base64")
        }
        return try ServerKey(bytes: bytes)
    }

    private static func make(_ path: String, _ randomness: Randomness) throws {
        let text = randomness.bytes(byteCount).hexadecimal + "\n"
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]) else {
            throw ConfigurationError("\(path) cannot be written")
        }
    }

    private static func hexadecimal(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
#endif
