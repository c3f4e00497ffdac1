import Dispatch
import Foundation
import JWTCore
import Locks

/// Runs tasks on one pinned thread for each of some cores, until the process ends.
final class PinnedExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)

    init(cores: [Int]) {
        for core in cores {
            let thread = Thread { [self] in
                PinnedThreads.pin(to: core)
                while true { runNext() }
            }
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    private func runNext() {
        waiting.wait()
        let job = jobs.withLock { $0.removeFirst() }
        // SAFETY: each job is enqueued once and taken once, and the executor outlives every task.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
