/// What waits to be verified, and how many tasks see to it: the rule by which ``OpportunisticBatcher`` never has one wait for others.
package struct BatchQueue<Element> {
    package let workers: Int
    package let widest: Int
    package private(set) var waiting: [Element] = []
    /// Tasks that are started and have not found the queue empty.
    private var tasks = 0
    /// Those of them that have taken a batch: what comes now, they do not see before they are done.
    private var verifying = 0

    package init(workers: Int, widest: Int) {
        self.workers = workers
        self.widest = widest
    }

    /// Puts `element` behind the others.
    ///
    /// - Returns: whether a task is to be started for it: one may be, and those that are about to take what waits will leave it with the
    ///   next batch of each.
    package mutating func append(_ element: Element) -> Bool {
        waiting.append(element)
        guard workers > tasks, waiting.count > (tasks - verifying) * widest else { return false }
        tasks += 1
        return true
    }

    /// A batch for a task: what has waited longest; empty, and a task less, where nothing does.
    ///
    /// - Parameter isDone: whether the task has verified a batch that it took before.
    package mutating func take(isDone: Bool) -> [Element] {
        if isDone { verifying -= 1 }
        guard !waiting.isEmpty else {
            tasks -= 1
            return []
        }
        verifying += 1
        let batch = Array(waiting.prefix(widest))
        waiting.removeFirst(batch.count)
        return batch
    }
}
