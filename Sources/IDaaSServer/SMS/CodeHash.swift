#if IDaaS
internal import Secrets

/// A keyed hash: what hides SMS codes in the store, of which there are but a million.
package protocol KeyedHash: Sendable {
    func code(for message: [UInt8]) -> [UInt8]
}

extension AuthenticationKey: KeyedHash {}

/// Whose code it is: the number, the client and the device that asked for it. Nobody else's try is a try at it.
struct CodeOwner: Hashable, Sendable {
    let type: SMSType
    let mobile: MobileNumber
    let client: String
    let device: [UInt8]

    init(_ type: SMSType, _ mobile: MobileNumber, _ caller: Caller) {
        self.type = type
        self.mobile = mobile
        client = caller.client.id
        device = caller.device
    }

    /// The key of the code in the store. There is one code of an owner: a new one takes the place of the old one.
    var key: [UInt8] { Digest256.of(identity) }

    func hash(of code: String, under hash: any KeyedHash) -> [UInt8] { hash.code(for: identity + Array(code.utf8)) }

    /// Each part behind its length, so that no two owners are the same bytes.
    private var identity: [UInt8] {
        [Array(type.rawValue.utf8), Array(mobile.text.utf8), Array(client.utf8), device].flatMap { part in
            withLength(part)
        }
    }

    private func withLength(_ part: [UInt8]) -> [UInt8] {
        let count = UInt32(truncatingIfNeeded: part.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + part
    }
}
#endif
