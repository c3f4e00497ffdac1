import Glibc
import JWTCore
import Locks

/// One connection, served by one thread until one side ends it.
struct Connection: Sendable {
    private let socket: Socket
    private let state: Locked<Listener.State>
    private let stopping: StopSignal

    init(_ socket: Socket, _ state: Locked<Listener.State>, _ stopping: StopSignal) {
        self.socket = socket
        self.state = state
        self.stopping = stopping
    }

    func serve() {
        defer { socket.close() }
        var received: [UInt8] = []
        while let request = nextRequest(&received) {
            let responder = state.withLock { state in
                state.requests.append(request)
                return state.responder
            }
            guard responder(request).steps.allSatisfy(perform) else { return }
        }
    }

    /// Performs a step. Returns whether the connection continues.
    private func perform(_ step: LoopbackAnswer.Step) -> Bool {
        switch step {
        case .send(let bytes): return socket.send(bytes)
        case .drip(let bytes, let milliseconds):
            return bytes.allSatisfy { stopping.pause(milliseconds: milliseconds) && socket.send([$0]) }
        case .hang:
            while let more = receive(), !more.isEmpty {}
            return false
        case .close: return false
        case .reset:
            socket.resetOnClose()
            return false
        case .tunnel(let port):
            tunnel(to: port)
            return false
        }
    }

    private func receive() -> [UInt8]? { stopping.waitForInput(of: [socket.descriptor]) == nil ? nil : socket.receive() }

    /// The next request, from `received` and further input. Nil at the end of the connection or for invalid input.
    private func nextRequest(_ received: inout [UInt8]) -> LoopbackRequest? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            // A TLS handshake (RFC 8446 section 5.1) gets a plain-text answer.
            guard received.first != 22 else {
                _ = socket.send(LoopbackAnswer.head(400, [("Content-Length", "0")]))
                return nil
            }
            if let start = received.place(of: end) {
                let body = start + end.count
                let head = String(decoding: received[..<body], as: UTF8.self)
                guard let length = LoopbackRequest(head: head, body: []).map({ $0.field("Content-Length").flatMap { Int($0) } ?? 0 }) else {
                    return nil
                }
                if received.count >= body + length {
                    defer { received.removeFirst(body + length) }
                    return LoopbackRequest(head: head, body: Array(received[body..<body + length]))
                }
            }
            guard let more = receive(), !more.isEmpty else { return nil }
            received += more
        }
    }

    private func tunnel(to port: UInt16) {
        guard let other = try? Socket.connected(to: port) else { return }
        defer { other.close() }
        while let ready = stopping.waitForInput(of: [socket.descriptor, other.descriptor]) {
            let (from, to) = ready == socket.descriptor ? (socket, other) : (other, socket)
            guard let bytes = from.receive(), !bytes.isEmpty, to.send(bytes) else { return }
        }
    }
}
