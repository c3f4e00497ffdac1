internal import CCurl
internal import JWKSCache
internal import JWTCore
internal import Locks

/// Runs all transfers of the process on one thread, which begins with the first of them.
@safe
final class TransferLoop: @unchecked Sendable {
    static let shared: TransferLoop = {
        let loop = TransferLoop()
        // The thread is not in a child, which begins anew.
        Forks.handle(
            before: { unsafe TransferLoop.shared.state.lock() }, inParent: { unsafe TransferLoop.shared.state.unlock() },
            inChild: {
                unsafe TransferLoop.shared.state.unlock()
                unsafe TransferLoop.shared.state.withLock { unsafe $0 = State() }
            })
        return loop
    }()

    @unsafe
    private struct State {
        // SAFETY: used by the loop's thread alone, but for waking it. Never freed.
        var curl: OpaquePointer?
        var waiting: [Transfer] = []
        var cancelled: [Transfer] = []
    }

    // SAFETY: protected by its lock.
    private let state = unsafe Locked(State())

    /// Runs a transfer. Its completion is called on the loop's thread, or on this one where the system gives no thread.
    func run(_ transfer: Transfer) {
        let isAccepted = unsafe state.withLock { state in
            if unsafe state.curl == nil {
                unsafe state.curl = start()
            }
            guard let curl = unsafe state.curl else { return false }
            unsafe state.waiting.append(transfer)
            unsafe ccurl_loop_wake(curl)
            return true
        }
        if !isAccepted { transfer.finish(Self.exhausted) }
    }

    /// Ends a transfer, whether it has begun or not.
    func cancel(_ transfer: Transfer) {
        transfer.cancel()
        unsafe state.withLock { state in
            guard let curl = unsafe state.curl else { return }
            unsafe state.cancelled.append(transfer)
            unsafe ccurl_loop_wake(curl)
        }
    }

    private static let exhausted = RequestFailure(.connection, "no memory, descriptor or thread for a request")

    private func start() -> OpaquePointer? {
        guard let curl = unsafe Forks.hold(during: { unsafe ccurl_loop_new() }) else { return nil }
        let address = UInt(bitPattern: curl)
        let isStarted = BackgroundThread.start { [self] in unsafe serve(OpaquePointer(bitPattern: address)!) }
        return unsafe isStarted ? curl : nil
    }

    // The thread

    @unsafe
    private func serve(_ curl: OpaquePointer) {
        var running: [UnsafeMutableRawPointer: Transfer] = unsafe [:]
        while true {
            let (waiting, cancelled) = unsafe state.withLock { state in
                defer { unsafe (state.waiting, state.cancelled) = ([], []) }
                return unsafe (state.waiting, state.cancelled)
            }
            for transfer in waiting { if let key = unsafe begin(transfer, curl) { unsafe running[key] = transfer } }
            for transfer in cancelled where unsafe running.removeValue(forKey: Unmanaged.passUnretained(transfer).toOpaque()) != nil {
                Forks.hold { unsafe ccurl_loop_remove(curl, transfer.pointer) }
                transfer.finish(RequestFailure(.cancelled))
            }
            while let context = unsafe Forks.hold(during: { unsafe ccurl_loop_next(curl) }) {
                unsafe running.removeValue(forKey: context)?.finish()
            }
            unsafe ccurl_loop_wait(curl, 60_000)
        }
    }

    /// The key of a transfer that runs; nil for one that has ended already.
    @unsafe
    private func begin(_ transfer: Transfer, _ curl: OpaquePointer) -> UnsafeMutableRawPointer? {
        guard !transfer.isCancelled else {
            transfer.finish(RequestFailure(.cancelled))
            return nil
        }
        guard Forks.hold(during: { unsafe transfer.prepare() && ccurl_loop_add(curl, transfer.pointer) == 1 }) else {
            transfer.finish(Self.exhausted)
            return nil
        }
        return unsafe Unmanaged.passUnretained(transfer).toOpaque()
    }
}
