internal import NIOCore

/// The one deadline of a connection. Every request moves it. The timer of the loop is rescheduled only if it would fire too late.
final class DeadlineTimer {
    private let loop: any EventLoop
    private let expired: () -> Void
    private var due: NIODeadline?
    private var scheduled: (task: Scheduled<Void>, time: NIODeadline)?

    init(loop: any EventLoop, expired: @escaping () -> Void) {
        self.loop = loop
        self.expired = expired
    }

    /// Replaces the deadline; nil removes it.
    func move(to due: NIODeadline?) {
        self.due = due
        guard let due, scheduled.map({ due < $0.time }) ?? true else { return }
        scheduled?.task.cancel()
        schedule(at: due)
    }

    func stop() {
        due = nil
        scheduled?.task.cancel()
        scheduled = nil
    }

    private func schedule(at time: NIODeadline) {
        let task = loop.assumeIsolated().scheduleTask(deadline: time) { self.fire() }
        scheduled = (task, time)
    }

    private func fire() {
        scheduled = nil
        guard let due else { return }
        guard due <= loop.now else { return schedule(at: due) }
        self.due = nil
        expired()
    }
}
