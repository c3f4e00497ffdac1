#if Gateway
internal import Foundation
internal import HTTPTypes

extension AdministrationAnswer {
    /// A document with its members sorted by name.
    static func json(_ document: some Encodable, status: Int = 200) -> Self {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(document) else { return .text("the document cannot be written\n", status: 500) }
        return Self(status: status, fields: [.contentType: "application/json"], body: Array(body) + [0x0a])
    }
}
#endif
