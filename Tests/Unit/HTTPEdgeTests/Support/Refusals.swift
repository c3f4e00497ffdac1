import Synchronization

/// The statuses of the answers that a connection gave itself, as it told them.
final class Refusals: Sendable {
    private let list = Mutex<[Int]>([])

    var statuses: [Int] { list.withLock { $0 } }

    func append(_ status: Int) { list.withLock { $0.append(status) } }
}
