/// Base64 with padding (RFC 4648 section 4), as documents other than tokens have it.
package enum Base64 {
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        let unpadded = Base64URL.encode(bytes).map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        return String(decoding: unpadded, as: UTF8.self) + String(repeating: "=", count: (4 - unpadded.count % 4) % 4)
    }

    /// - Parameter ignoresOthers: whether characters outside of the alphabet are skipped, as line breaks in a picture are.
    /// - Returns: nil for a text that is not in Base64, or whose padding is missing.
    package static func bytes(_ text: String, ignoresOthers: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0, padding = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard let value = value(byte) else {
                if ignoresOthers { continue }
                return nil
            }
            guard padding == 0 else { return nil }
            bits = bits << 6 | value
            count += 1
            if count % 4 != 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 0, 4, 2][count % 4])) }
        }
        guard (count + padding).isMultiple(of: 4), padding <= 2 else { return nil }
        return bytes
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
