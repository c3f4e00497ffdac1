import Glibc

/// The part of a server that its threads hold.
final class Listener: Sendable {
    struct State {
        var responder: LoopbackServer.Responder
        var requests: [Request] = []
        var connections = 0
        var threads: [Int: Thread] = [:]
        /// Threads that are at their end, to be joined.
        var finished: [Int] = []
    }

    let state: Guarded<State>
    let port: UInt16
    private let socket: Socket
    private let stopping: StopSignal
    private let accepting = Guarded<Thread?>(nil)

    init(_ responder: @escaping LoopbackServer.Responder) throws(SocketFailure) {
        state = Guarded(State(responder: responder))
        stopping = try StopSignal()
        socket = try Socket.listening()
        port = try socket.port()
    }

    func start() throws(SocketFailure) {
        let thread = try Thread { [self] in accept() }
        accepting.with { $0 = thread }
    }

    /// Ends every connection, and comes back when all threads have.
    func stop() {
        stopping.give()
        accepting.with { $0 }?.join()
        for thread in state.with({ $0.threads.values }) { thread.join() }
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
        state.with { state in
            let number = state.connections
            state.connections += 1
            // The thread cannot have finished before it is noted: it needs the state for that.
            let thread = try? Thread { [self] in
                connection.serve()
                self.state.with { $0.finished.append(number) }
            }
            guard let thread else { return socket.close() }
            state.threads[number] = thread
        }
    }

    private func joinFinished() {
        let threads = state.with { state in
            defer { state.finished = [] }
            return state.finished.compactMap { state.threads.removeValue(forKey: $0) }
        }
        for thread in threads { thread.join() }
    }
}

/// Wakes every thread that waits, once and for ever.
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

    /// The first of `descriptors` that has something to read; nil once the signal is given, or when `milliseconds` have passed.
    func waitForInput(of descriptors: [Int32], milliseconds: Int32 = -1) -> Int32? {
        var entries = (descriptors + [reading]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while unsafe poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
            guard errno == EINTR else { return nil }
        }
        guard entries.last?.revents == 0 else { return nil }
        return entries.first { $0.revents != 0 }?.fd
    }

    /// Whether the time passed without the signal, whatever arrives meanwhile.
    func pause(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, milliseconds) == 0
    }
}
