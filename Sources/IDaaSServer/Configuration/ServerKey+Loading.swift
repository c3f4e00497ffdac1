internal import Foundation
internal import IDaaSWire
package import Secrets

extension ServerKey {
    /// The environment variable that takes precedence over the file.
    package static let variable = "ASSAY_IDAAS_KEY"

    /// The server's key: from the environment, else from the configured file, else in development from a file beside the database.
    ///
    /// - Parameter makesMissing: whether to create a missing file in development.
    /// - Throws: `ConfigurationError` if there is no key, the key is not 32 bytes, or other users can read its file.
    package static func load(
        _ configuration: ServerConfiguration, environment: [String: String], randomness: Randomness, makesMissing: Bool = true
    ) throws -> ServerKey {
        if let text = environment[variable], !text.isEmpty { return try key(text, from: variable) }
        guard configuration.keyFile.isEmpty else { return try key(file: configuration.keyFile) }
        guard configuration.development, !configuration.hasSharedDatabase else {
            throw ConfigurationError("keyFile: the server needs a key, in a file or in \(variable): 32 bytes as 64 hexadecimal digits")
        }
        let path = configuration.database + ".key"
        if makesMissing, !FileManager.default.fileExists(atPath: path) { try make(path, randomness) }
        return try key(file: path)
    }

    private static func key(file path: String) throws -> ServerKey {
        try key(SecretFile.text(at: path, setting: "keyFile"), from: path)
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
        let descriptor = unsafe Foundation.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ConfigurationError("\(path) cannot be made") }
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
        } catch {
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
