package import NIOCore

/// Runs tasks on an event loop. A task of a connection that runs where the connection's bytes arrive changes no thread: it costs no wakeup
/// and no wait for another core. It must not block.
package final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(_ loop: any EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // SAFETY: the closure keeps this executor until the job has run.
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
