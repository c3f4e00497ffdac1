#if Gateway
internal import HTTPEdge
internal import HTTPTypes
internal import HummingbirdCore
internal import JWTCore
internal import Logging
internal import NIOCore

/// Answers transmitters that push events (RFC 8935): one event in each request, at the path of its stream.
struct SignalResponder: Sendable {
    private let receiver: SignalReceiver
    /// By path.
    private let streams: [String: SignalStream]
    private let logger: Logger

    /// Bytes of an event: those of a token.
    static let mostBytes = TokenLimits.standard.tokenBytes

    init(receiver: SignalReceiver, logger: Logger) {
        self.receiver = receiver
        self.logger = logger
        let paths = receiver.streams.compactMap { stream in stream.settings.path.map { ($0, stream) } }
        streams = Dictionary(paths) { first, _ in first }
    }

    func respond(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        let answer = await answer(request)
        try await writer.write(response: answer.head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    private func answer(_ request: Request) async -> SignalAnswer {
        // Paths are compared as they are written: another spelling is another path.
        guard let path = request.head.path, let stream = streams[path], path.utf8.elementsEqual(stream.settings.path?.utf8 ?? "".utf8)
        else {
            logger.info("a message to no stream", metadata: ["status": "404"])
            return SignalAnswer(status: 404)
        }
        guard request.method == .post else {
            var answer = SignalAnswer(status: 405)
            answer.fields[.allow] = "POST"
            return answer
        }
        if let obstacle = obstacle(to: request, of: stream) { return SignalAnswer(obstacle) }
        return await answer(toBodyOf: request, of: stream)
    }

    /// Why the body is not read; nil if it is.
    private func obstacle(to request: Request, of stream: SignalStream) -> SignalReceipt? {
        if let secret = stream.settings.secret {
            guard let isAdmitted = secret.admits(request.headers[.authorization]) else { return receiver.delay(.secretUnavailable, stream) }
            guard isAdmitted else { return receiver.refuse(Self.wrongSecret, stream) }
        }
        return Self.isEvent(request.headers[.contentType]) ? nil : receiver.refuse(Self.wrongType, stream)
    }

    private func answer(toBodyOf request: Request, of stream: SignalStream) async -> SignalAnswer {
        do {
            let body = try await request.body.collect(upTo: Self.mostBytes)
            return SignalAnswer(await receiver.receive(Array(body.readableBytesView), from: stream))
        } catch let fault as RequestFault where fault != .tooLarge {
            return SignalAnswer(status: fault.status)
        } catch {
            return SignalAnswer(receiver.refuse(Self.tooLarge, stream))
        }
    }

    private static func isEvent(_ type: String?) -> Bool {
        let name = (type ?? "").prefix { $0 != ";" }.lowercased()
        return name.utf8.reversed().drop { $0 == 0x20 }.reversed().elementsEqual("application/secevent+jwt".utf8)
    }

    private static let wrongSecret = SignalRefusal(
        .authenticationFailed, name: "wrong_secret", "the bearer token of this stream is expected in Authorization")
    private static let wrongType = SignalRefusal(
        .invalidRequest, name: "wrong_media_type", "the media type application/secevent+jwt is expected")
    private static let tooLarge = SignalRefusal(
        .invalidRequest, name: "token_too_large", "an event has at most \(mostBytes) bytes")
}
#endif
