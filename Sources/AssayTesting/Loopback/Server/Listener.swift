import Glibc
import JWTCore
import Locks

/// The part of a server that its threads share.
final class Listener: Sendable {
    struct State {
        var responder: LoopbackServer.Responder
        var requests: [LoopbackRequest] = []
        var connections = 0
        var threads: [Int: JoinableThread] = [:]
        /// Ended threads, to be joined.
        var finished: [Int] = []
    }

    let state: Locked<State>
    let port: UInt16
    private let socket: Socket
    private let stopping: StopSignal
    private let accepting = Locked<JoinableThread?>(nil)

    init(_ responder: @escaping LoopbackServer.Responder) throws(SocketFailure) {
        state = Locked(State(responder: responder))
        stopping = try StopSignal()
        socket = try Socket.listening()
        port = try socket.port()
    }

    func start() throws(SocketFailure) {
        let thread = try JoinableThread { [self] in accept() }
        accepting.withLock { $0 = thread }
    }

    /// Ends every connection, and returns when all threads have ended.
    func stop() {
        stopping.give()
        accepting.withLock { $0 }?.join()
        for thread in state.withLock({ $0.threads.values }) { thread.join() }
        socket.close()
        stopping.close()
    }

    private func accept() {
        while stopping.waitForInput(of: [socket.descriptor]) != nil {
            guard let socket = socket.accept() else { return }
            serve(socket)
            joinFinished()
        }
    }

    private func serve(_ socket: Socket) {
        let connection = Connection(socket, state, stopping)
        state.withLock { state in
            let number = state.connections
            state.connections += 1
            // The thread cannot end before it is recorded: its end needs the state.
            let thread = try? JoinableThread { [self] in
                connection.serve()
                self.state.withLock { $0.finished.append(number) }
            }
            guard let thread else { return socket.close() }
            state.threads[number] = thread
        }
    }

    private func joinFinished() {
        let threads = state.withLock { state in
            defer { state.finished = [] }
            return state.finished.compactMap { state.threads.removeValue(forKey: $0) }
        }
        for thread in threads { thread.join() }
    }
}

/// Wakes every waiting thread, once and permanently.
struct StopSignal: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws(SocketFailure) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw SocketFailure("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    func give() { _ = unsafe write(writing, [0], 1) }

    func close() {
        _ = Glibc.close(reading)
        _ = Glibc.close(writing)
    }

    /// The first of `descriptors` with input; nil once the signal is given, or when `milliseconds` have passed.
    func waitForInput(of descriptors: [Int32], milliseconds: Int32 = -1) -> Int32? {
        var entries = (descriptors + [reading]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while unsafe poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
            guard errno == EINTR else { return nil }
        }
        guard entries.last?.revents == 0 else { return nil }
        return entries.first { $0.revents != 0 }?.fd
    }

    /// Whether the time passed without the signal. Input does not matter.
    func pause(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, milliseconds) == 0
    }
}
