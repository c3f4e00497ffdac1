import Gateway
import GatewayServer
import HTTPEdge
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Synchronization

/// The refusals that a call told.
final class Refusals: Sendable {
    private let list = Mutex<[DenialReason]>([])

    var reasons: [DenialReason] { list.withLock { $0 } }

    func append(_ reason: DenialReason) { list.withLock { $0.append(reason) } }
}

/// A stream with one call, without a socket.
final class Call: Sendable {
    let channel: NIOAsyncTestingChannel
    let refused: Refusals

    /// The frames of an answer. One without a message has all its fields in `head`.
    struct Answer {
        var head: [String: String] = [:]
        var message: [UInt8]?
        var trailers: [String: String] = [:]
    }

    init(readsClient: Bool = false, decide: @escaping @Sendable (RequestFacts) async -> Decision) async throws {
        let refused = Refusals()
        var asked = AuthorizationService(decide: decide, refused: { refused.append($0.reason) }, isReady: { true })
        asked.readsClient = { readsClient }
        let service = asked
        channel = try await NIOAsyncTestingChannel {
            let call = AuthorizationCall(service: service, limits: AuthorizationLimits(), executor: EventLoopExecutor($0.eventLoop))
            try $0.pipeline.syncOperations.addHandler(call)
        }
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/gateway")).get()
        self.refused = refused
    }

    static func framed(_ message: [UInt8]) -> [UInt8] { LengthPrefixedMessage.prefix(ofBytes: message.count) + message }

    func send(_ method: GRPCMethod, _ body: [UInt8]) async throws {
        try await sendHead(method)
        try await sendData(body, ends: true)
    }

    func sendHead(_ method: GRPCMethod) async throws { try await sendHead(path: method.rawValue) }

    func sendHead(path: String, method: String = "POST", type: String = "application/grpc") async throws {
        let fields: HPACKHeaders = [":method": method, ":path": path, ":scheme": "http", "content-type": type, "te": "trailers"]
        try await channel.writeInbound(HTTP2Frame.FramePayload.headers(.init(headers: fields)))
    }

    func sendData(_ bytes: [UInt8], ends: Bool = false) async throws {
        try await channel.writeInbound(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: ends)))
    }

    func sendTrailers(_ fields: HPACKHeaders, ends: Bool) async throws {
        try await channel.writeInbound(HTTP2Frame.FramePayload.headers(.init(headers: fields, endStream: ends)))
    }

    /// The frames up to the end of the stream.
    func answer() async throws -> Answer {
        var answer = Answer()
        while true {
            switch try await channel.waitForOutboundWrite(as: HTTP2Frame.FramePayload.self) {
            case .headers(let headers):
                let fields = Dictionary(headers.headers.map { ($0.name, $0.value) }) { $0 + "," + $1 }
                if answer.head.isEmpty { answer.head = fields } else { answer.trailers = fields }
                if headers.endStream { return answer }
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { continue }
                answer.message = Array(bytes.readableBytesView.dropFirst(LengthPrefixedMessage.prefixBytes))
            default: break
            }
        }
    }
}
