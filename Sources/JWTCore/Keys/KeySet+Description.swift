extension KeySet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of its keys. No key material and no `kid` is in it.
    public var description: String {
        let unusable = keys.count { $0.unusableReason != nil }
        return "KeySet(\(keys.count) \(keys.count == 1 ? "key" : "keys")\(unusable > 0 ? ", \(unusable) unusable" : ""))"
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}

extension VerificationKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, the size, and why it cannot be used. No key material and no `kid` is in it.
    public var description: String {
        let kind = [type?.rawValue ?? "unknown type", curve?.rawValue].compactMap { $0 }.joined(separator: " ")
        return "VerificationKey(\(kind), \(bits) bits\(unusableReason.map { ", \($0.name)" } ?? ""))"
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
