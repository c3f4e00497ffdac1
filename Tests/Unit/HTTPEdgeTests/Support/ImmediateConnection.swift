import HTTPEdge
import NIOCore
import NIOEmbedded
import Synchronization

/// A connection whose requests are answered at once, without a socket: a client at one end, and answers by path.
final class ImmediateConnection {
    let client = Client()
    let answers = Answers()
    private let channel = EmbeddedChannel()

    init() throws {
        try channel.pipeline.syncOperations.addHandler(client)
        try ImmediateChannel.addHandlers(
            to: channel.pipeline.syncOperations, ConnectionLimits(), refused: { [answers] in answers.refused($0) },
            respond: { [answers] in answers.respond($0, $1) })
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        channel.read()
    }

    deinit {
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    var isOpen: Bool { channel.isActive }

    func send(_ text: String) { client.send(ByteBuffer(string: text)) }

    func endInput() { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }

    /// As the listener does when its end begins.
    func beginDrain() { channel.pipeline.fireUserInboundEventTriggered(DrainBegins()) }

    /// As the listener does when it ends.
    func drain() { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }

    /// Runs what waits on the loop.
    func run() { channel.embeddedEventLoop.run() }

    /// Gives the answer that a request has waited for.
    func release() {
        run()
        answers.release()
        run()
    }

    func advance(seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        run()
    }

    /// The paths of the answers that the client has received, in their order.
    var answered: [Substring] { client.received.split(separator: "\r\n").filter { $0.hasPrefix("x-path: ") }.map { $0.dropFirst(8) } }
}

/// Answers each request with its path. A request for `/wait` waits until it is released, and one for `/log` is told what is written before
/// its log.
final class Answers: Sendable {
    private struct State {
        var requests: [String] = []
        var faults: [RequestFault] = []
        var fields: [[String]] = []
        var logged = 0
        var refusals: [Int] = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var requests: [String] { state.withLock { $0.requests } }
    var faults: [RequestFault] { state.withLock { $0.faults } }
    var fields: [[String]] { state.withLock { $0.fields } }
    var logged: Int { state.withLock { $0.logged } }

    /// The statuses of the answers that the connection gave itself.
    var refusals: [Int] { state.withLock { $0.refusals } }

    func refused(_ status: Int) { state.withLock { $0.refusals.append(status) } }

    func respond(_ request: ImmediateRequest, _ fault: RequestFault?) -> ImmediateResponse {
        let target = request.target
        var fields: [String] = []
        request.forEachField { fields.append("\($0)=\($1)") }
        state.withLock { [fields] state in
            state.requests.append("\(request.method) \(target)")
            state.fields.append(fields)
            if let fault { state.faults.append(fault) }
        }
        if let fault { return .answer(ImmediateAnswer(status: fault.status, fields: [])) }
        guard target == "/wait" else { return .answer(answer(target)) }
        return .waiting {
            await withCheckedContinuation { waiting in self.state.withLock { $0.waiting = waiting } }
            return self.answer(target)
        }
    }

    func release() { state.withLock { $0.waiting.take() }?.resume() }

    private func answer(_ target: String) -> ImmediateAnswer {
        guard target == "/log" else { return ImmediateAnswer(status: 200, fields: [("x-path", target)]) }
        return ImmediateAnswer(status: 200, fields: [("x-path", target)]) { self.state.withLock { $0.logged += 1 } }
    }
}
