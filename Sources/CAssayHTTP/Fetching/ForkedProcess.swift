#if HTTP
internal import JWTCore
internal import Synchronization

/// Whether this process is a fork of one that had begun to fetch. The parent's threads and its pools of tasks are not here: a
/// call that waited for them would wait for ever. So every function refuses before it takes a lock.
enum ForkedProcess {
    private static let mark = Atomic(false)

    static var isThisOne: Bool { mark.load(ordering: .acquiring) }

    /// Marks every later child of this process. Called before the first thread is made.
    static func watch() { _ = marksChildren }

    private static let marksChildren: Void = { Forks.handle(inChild: { ForkedProcess.mark.store(true, ordering: .releasing) }) }()
}
#endif
