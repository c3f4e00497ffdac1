#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Testing

/// One refusal of one operation, and how to bring it about.
struct Refusal: Sendable, CustomStringConvertible {
    /// Its operationId.
    let operation: String
    let status: Int
    let code: ErrorCode
    /// What stands for {0}, {1} … in the text.
    let arguments: [String]
    /// Does what it takes, and says what to ask then.
    let provoke: @Sendable (RefusalStage) async throws -> WireRequest

    init(
        _ operation: String, _ code: ErrorCode, _ arguments: [String] = [], status: Int? = nil,
        _ provoke: @Sendable @escaping (RefusalStage) async throws -> WireRequest
    ) {
        self.operation = operation
        self.status = status ?? code.status
        self.code = code
        self.arguments = arguments
        self.provoke = provoke
    }

    var description: String { "\(operation) \(status) \(code.rawValue) \(arguments)" }
}

/// Refusals that one server gives, one after the other.
struct RefusalGroup: Sendable, CustomTestStringConvertible {
    enum Setting {
        case ordinary
        /// The SMS gateway takes no message.
        case deafGateway
        /// Nothing in the store can be read.
        case spoiledStore
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

/// A request to an operation, with fields and a body of one's choice.
struct WireRequest: Sendable {
    let method: String
    let path: String
    let fields: [(String, String)]
    let body: [UInt8]?

    /// - Parameter id: what stands for `{id}` in the path.
    init(
        _ operation: String, _ fields: [(String, String)] = Self.caller(), body: [UInt8]? = nil, id: String = "x"
    ) throws {
        let described = try #require(OpenAPIDocument.operations.first { $0.name == operation }, "\(operation)")
        method = described.method.uppercased()
        path = described.path.replacing("{id}", with: id)
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
#endif
