#if HTTP
internal import CAssayInterface
internal import Dispatch

/// Wakes the thread of a ``Refresher`` from any other one. If the thread is not waiting, its next wait ends immediately.
final class Wakeup: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }

    func wait() { semaphore.wait() }

    func wait(milliseconds: Int64) {
        _ = semaphore.wait(timeout: .now() + .milliseconds(Int(clamping: min(max(milliseconds, 0), 1_000_000_000))))
    }

    /// Lets the keys with these options signal. They hold this object until they call `release`.
    @unsafe
    func attach(to options: inout assay_refresh_options) {
        unsafe options.wake = { context in
            guard let context = unsafe context, !ForkedProcess.isThisOne else { return }
            unsafe Unmanaged<Wakeup>.fromOpaque(context).takeUnretainedValue().signal()
        }
        unsafe options.release = { context in
            guard let context = unsafe context else { return }
            unsafe Unmanaged<Wakeup>.fromOpaque(context).release()
        }
        unsafe options.context = Unmanaged.passRetained(self).toOpaque()
    }

    /// Undoes ``attach(to:)`` where no keys were made.
    @unsafe
    func detach(from options: assay_refresh_options) { unsafe options.release(options.context) }
}
#endif
