/// The queue of waiting tokens and the number of tasks that verify them. With it, ``OpportunisticBatcher`` never delays a token for others.
package struct BatchQueue<Element> {
    package let workers: Int
    package let widest: Int
    package private(set) var waiting: [Element] = []
    /// Tasks that were started and have not found the queue empty.
    private var tasks = 0
    /// Those that are verifying a batch: they see new elements only when they are done.
    private var verifying = 0

    package init(workers: Int, widest: Int) {
        self.workers = workers
        self.widest = widest
    }

    /// Appends `element`.
    ///
    /// - Returns: whether to start a task for it: fewer than `workers` exist, and the next batches of those not verifying cannot take all
    ///   waiting elements.
    package mutating func append(_ element: Element) -> Bool {
        waiting.append(element)
        guard workers > tasks, waiting.count > (tasks - verifying) * widest else { return false }
        tasks += 1
        return true
    }

    /// A batch for a task, the oldest elements first. If nothing waits, it is empty and the task no longer counts.
    ///
    /// - Parameter isDone: whether the task has verified an earlier batch.
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
