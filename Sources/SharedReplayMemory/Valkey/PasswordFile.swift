#if Gateway
internal import JWKSCache

/// A password in a file of at most 4 KiB, without the white space at its ends.
enum PasswordFile {
    static func read(_ path: String) -> [UInt8]? {
        guard let content = try? RegularFile.read(path, limit: 4_096) else { return nil }
        let password = Array(content.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        return password.isEmpty ? nil : password
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}
#endif
