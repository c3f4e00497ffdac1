internal import JWTCore

/// Objects that live as long as the list, and are lent one at a time without counting references: all event loops would count in the same
/// memory.
struct LentObjects<Object: AnyObject & Sendable>: Sendable {
    let all: [Object]

    init(_ objects: [Object]) { all = objects }

    var count: Int { all.count }
    var indices: Range<Int> { all.indices }

    /// The object itself, which counts a reference: for what no request waits for.
    subscript(position: Int) -> Object { all[position] }

    /// Lends the object at this position to `body`.
    @inline(__always)
    func lend<Result, Failure: Error>(_ position: Int, _ body: (Object) throws(Failure) -> Result) throws(Failure) -> Result {
        // SAFETY: the list never changes, and the caller keeps the list's owner alive during the call.
        try unsafe Unmanaged.passUnretained(all[position]).lend(body)
    }
}
