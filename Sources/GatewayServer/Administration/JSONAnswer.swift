#if Gateway
internal import HTTPTypes
internal import JWTCore

extension AdministrationAnswer {
    /// A document with its members sorted by name.
    static func json(_ document: some Encodable, status: Int = 200) -> Self {
        guard let tree = try? JSONTree(encoding: document) else { return .text("the document cannot be written\n", status: 500) }
        return Self(status: status, fields: [.contentType: "application/json"], body: tree.json + [0x0a])
    }
}
#endif
