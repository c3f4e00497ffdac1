internal import CAssayInterface
internal import HTTPGuard

extension FetchThread {
    /// Lets the keys with these options wake the thread. They hold `wait` until they call `release`.
    @unsafe
    static func attach(_ wait: AnswerWait, to options: inout assay_refresh_options) {
        unsafe options.wake = { context in
            guard let context = unsafe context else { return }
            unsafe Unmanaged<AnswerWait>.fromOpaque(context).takeUnretainedValue().wake()
        }
        unsafe options.release = { context in
            guard let context = unsafe context else { return }
            unsafe Unmanaged<AnswerWait>.fromOpaque(context).release()
        }
        unsafe options.context = Unmanaged.passRetained(wait).toOpaque()
    }

    /// Undoes ``attach(_:to:)`` where no keys were made.
    @unsafe
    static func detach(from options: assay_refresh_options) { unsafe options.release(options.context) }
}
