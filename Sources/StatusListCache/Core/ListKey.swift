/// A list: the place of its issuer, and the bytes of its address.
struct ListKey: Hashable, Sendable {
    let issuer: Int
    let uri: [UInt8]
}
