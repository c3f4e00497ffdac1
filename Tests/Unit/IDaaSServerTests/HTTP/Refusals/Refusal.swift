import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// One refusal of one operation, and how to provoke it.
struct Refusal: Sendable, CustomStringConvertible {
    /// Its operationId.
    let operation: String
    let status: Int
    let code: ServiceCode
    /// The values of {0}, {1} … in the text.
    let arguments: [String]
    /// Does the preparation, and returns the request to send.
    let provoke: @Sendable (RefusalStage) async throws -> WireRequest

    init(
        _ operation: String, _ code: ServiceCode, _ arguments: [String] = [], status: Int? = nil,
        _ provoke: @Sendable @escaping (RefusalStage) async throws -> WireRequest
    ) {
        self.operation = operation
        self.status = status ?? code.status
        self.code = code
        self.arguments = arguments
        self.provoke = provoke
    }

    /// A refusal without preparation: of these header fields and this body.
    init(
        _ operation: String, _ code: ServiceCode, _ arguments: [String] = [], status: Int? = nil,
        of fields: [(String, String)], body: [UInt8]? = nil
    ) {
        self.init(operation, code, arguments, status: status) { _ in try WireRequest(operation, fields, body: body) }
    }

    /// A refusal of further header fields.
    init(_ operation: String, _ code: ServiceCode, _ arguments: [String] = [], adding fields: (String, String)...) {
        self.init(operation, code, arguments, of: WireRequest.caller() + fields)
    }

    var description: String { "\(operation) \(status) \(code.rawValue) \(arguments)" }
}

/// Refusals that one server gives in sequence.
struct RefusalGroup: Sendable, CustomTestStringConvertible {
    enum Setting {
        case ordinary
        /// The SMS gateway accepts no message.
        case deafGateway
        /// There is no memory for a picture.
        case noMemory
        /// Nothing in the store can be read.
        case spoiledStore
        /// The store says that its database does not answer.
        case silentStore
    }

    let name: String
    let setting: Setting
    let refusals: [Refusal]

    init(_ name: String, in setting: Setting = .ordinary, _ refusals: [Refusal]) {
        self.name = name
        self.setting = setting
        self.refusals = refusals
    }

    var testDescription: String { name }
}

/// A request to an operation, with chosen fields and body.
struct WireRequest: Sendable {
    let method: String
    let path: String
    let fields: [(String, String)]
    let body: [UInt8]?

    /// - Parameters:
    ///   - id: the value of `{id}` in the path.
    ///   - query: with its question mark.
    init(
        _ operation: String, _ fields: [(String, String)] = Self.caller(), body: [UInt8]? = nil, id: String = "x", query: String = ""
    ) throws {
        let described = try #require(OpenAPIDocument.operations.first { $0.name == operation }, "\(operation)")
        method = described.method.uppercased()
        path = described.path.replacing("{id}", with: id) + query
        self.fields = fields
        self.body = body
    }

    init(_ operation: String, _ fields: [(String, String)] = Self.caller(), _ body: JSON) throws {
        try self.init(operation, fields + [("Content-Type", "application/json")], body: Array(body.text.utf8))
    }

    /// The common header fields.
    static func caller(_ client: String = LiveServer.client, device: String = "device-1") -> [(String, String)] {
        WireClient(url: "", client: client, device: device).fields
    }

    func sent(to server: LiveServer, adding more: [(String, String)]) async throws -> WireReply {
        try await server.wire().send(method, path, fields + more, body: body)
    }
}
