import JWTCore
import JWTSigning

/// Changes a compact token part by part: a header or a payload by the grammar of JSON, inside its base64url.
public enum TokenMutator {
    /// - Parameter key: signs every second changed token again, so that claims are reached.
    public static func mutate(_ token: [UInt8], limit: Int, _ chance: inout Chance, key: SigningKey) -> [UInt8] {
        var parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count == 3, chance.number(below: 6) > 0 else { return JSONMutator.bytes(token, 0..<token.count) }
        switch chance.number(below: 8) {
        case 0...2: parts[0] = changed(parts[0]) { JSONMutator.header.mutate($0, limit: limit / 2, &chance) }
        case 3...5: parts[1] = changed(parts[1]) { JSONMutator.claims.mutate($0, limit: limit / 2, &chance) }
        case 6: parts[2] = changed(parts[2]) { JSONMutator.bytes($0, 0..<$0.count) }
        default:
            let place = chance.number(below: 3)
            parts[place] = JSONMutator.bytes(parts[place], 0..<parts[place].count)
        }
        if chance.number(below: 2) == 0 {
            let message = parts[0] + [UInt8(ascii: ".")] + parts[1]
            parts[2] = Base64URL.encode(key.signature(of: message) ?? [])
        }
        let changed = Array(parts.joined(separator: [UInt8(ascii: ".")]))
        return changed.count <= limit ? changed : token
    }

    /// A part decoded, changed and encoded again; a part that is no base64url is changed as it is.
    private static func changed(_ part: [UInt8], _ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
        guard let decoded = try? Base64URL.bytes(part.span) else { return change(part) }
        return Base64URL.encode(change(decoded))
    }
}
