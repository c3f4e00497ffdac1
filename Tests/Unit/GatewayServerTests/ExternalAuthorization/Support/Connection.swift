import Gateway
import GatewayServer
import NIOCore
import NIOEmbedded
import NIOHPACK
import Synchronization
import Testing

/// A connection without a socket, whose time the test advances. Its peer sends bytes of HTTP/2 (RFC 9113 section 4.1).
struct Connection {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let settings = frame(type: 4)

    let channel: EmbeddedChannel
    let refusals = Statuses()

    /// - Parameter opening: what the peer sends first.
    init(_ limits: AuthorizationLimits = AuthorizationLimits(), opening: [UInt8] = preface + settings) throws {
        let service = AuthorizationService(
            decide: { _ in .denied(Denial(policy: nil, reason: .noRoute, status: 403)) }, refused: { _ in }, isReady: { true })
        channel = EmbeddedChannel()
        try AuthorizationChannel.addHandlers(to: channel, service, limits, refused: { [refusals] in refusals.append($0) })
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/gateway")).wait()
        // A socket gives no read without bytes.
        if !opening.isEmpty { send(opening) }
    }

    static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let length = UInt32(payload.count)
        return Array(bigEndian(length)[1...]) + [type, flags] + bigEndian(stream) + payload
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    static let ping = frame(type: 6, [UInt8](repeating: 1, count: 8))

    /// `GOAWAY` with NO_ERROR: the peer opens no further stream.
    static let goAway = frame(type: 7, [UInt8](repeating: 0, count: 8))

    /// `SETTINGS_INITIAL_WINDOW_SIZE` of zero: the peer takes no bytes of an answer.
    static let closedWindow = frame(type: 4, [0, 4, 0, 0, 0, 0])

    /// The beginning of a call: HEADERS.
    static func head(stream: UInt32) throws -> [UInt8] {
        let fields: HPACKHeaders = [
            ":method": "POST", ":path": GRPCMethod.check.rawValue, ":scheme": "http", ":authority": "a", "content-type": "application/grpc",
        ]
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        try encoder.beginEncoding(allocator: ByteBufferAllocator())
        for field in fields { try encoder.appendNonIndexed(header: field.name, value: field.value) }
        return frame(type: 1, flags: 4, stream: stream, Array(try encoder.endEncoding().readableBytesView))
    }

    /// A part of a call's message: DATA.
    static func data(stream: UInt32, _ bytes: [UInt8], ends: Bool = false) -> [UInt8] {
        frame(type: 0, flags: ends ? 1 : 0, stream: stream, bytes)
    }

    static func call(stream: UInt32, _ message: [UInt8] = Protobuf.checkRequest(http: Protobuf.get)) throws -> [UInt8] {
        try head(stream: stream) + data(stream: stream, Call.framed(message), ends: true)
    }

    var isOpen: Bool { channel.isActive }

    /// A breach of the protocol may be told as an error, too.
    func send(_ bytes: [UInt8]) {
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        channel.embeddedEventLoop.run()
    }

    func advance(seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    /// The types of the frames that the service has sent since the last look.
    func sentFrames() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = try channel.readOutbound(as: ByteBuffer.self) { bytes += Array(part.readableBytesView) }
        return Self.types(of: bytes)
    }

    /// The types of the whole frames in `bytes`.
    static func types(of bytes: [UInt8]) -> [UInt8] {
        var types: [UInt8] = [], rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9)), length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { break }
            types.append(head[3])
            rest = rest.dropFirst(9 + length)
        }
        return types
    }
}

/// The statuses with which a connection told that it refuses its peer.
final class Statuses: Sendable {
    private let list = Mutex<[Int]>([])

    var all: [Int] { list.withLock { $0 } }

    func append(_ status: Int) { list.withLock { $0.append(status) } }
}
