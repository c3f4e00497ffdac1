/// Unpadded base64url; the library does not export its own.
public func base64URL(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    for index in stride(from: 0, to: bytes.count, by: 3) {
        let rest = min(3, bytes.count - index)
        var word = 0
        for offset in 0..<3 { word = word << 8 | (offset < rest ? Int(bytes[index + offset]) : 0) }
        for character in 0...rest { text.append(alphabet[word >> (18 - 6 * character) & 63]) }
    }
    return text
}
