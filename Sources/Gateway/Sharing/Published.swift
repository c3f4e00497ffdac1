internal import CReadCopyUpdate
internal import JWKSCache
internal import JWTCore
internal import Locks
internal import Synchronization

/// An object that readers borrow while writers replace it. Readers take no lock and write nothing that another core reads; a writer never
/// waits for them. A replaced object is released when it has no readers (Docs/Decisions/0010).
@safe
package final class Published<Object: AnyObject & Sendable>: @unchecked Sendable {
    private let pointer: Atomic<UnsafeRawPointer>
    // SAFETY: accessed only under the lock.
    private let retired = unsafe Locked<[(grace: UInt64, object: Unmanaged<Object>)]>([])

    package init(_ object: Object) { unsafe pointer = Atomic(UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())) }

    deinit {
        // SAFETY: a reader retains this publication, so there are no readers now.
        unsafe Unmanaged<Object>.fromOpaque(pointer.load(ordering: .acquiring)).release()
        unsafe retired.withLock { while let entry = unsafe $0.popLast() { unsafe entry.object.release() } }
    }

    /// The object itself.
    package var current: Object {
        if let object = withCurrent({ $0 }) { return object }
        // SAFETY: only a replacement releases objects, under the lock.
        return unsafe retired.withLock { _ in
            unsafe Unmanaged<Object>.fromOpaque(pointer.load(ordering: .acquiring)).takeUnretainedValue()
        }
    }

    /// Lends the object to `body`. Nil, and no call, where memory is exhausted.
    package func withCurrent<Result>(_ body: (Object) -> Result) -> Result? {
        guard let reader = unsafe crcu_enter() else { return nil }
        defer { unsafe crcu_leave(reader) }
        // SAFETY: loaded within the section, so it is not released before the section ends.
        return unsafe Unmanaged<Object>.fromOpaque(pointer.load(ordering: .acquiring)).lend(body)
    }

    /// Makes forks wait for writers. For the owner, who calls ``leaveForks()`` in the end.
    package func keepAcrossForks() { ForkedLocks.add(unsafe retired, of: self) }

    package func leaveForks() { ForkedLocks.remove(self) }

    /// Replaces the object by what `change` makes of it. One replacement follows the other.
    package func replace(_ change: (Object) -> Object) { update { (change($0), ()) } }

    /// The same, unless `change` returns no object: then the one that is there stays, to which `change` may have added. One change follows the
    /// other.
    package func update<Result>(_ change: (Object) -> (next: Object?, result: Result)) -> Result {
        let (released, result) = unsafe retired.withLock { retired in
            // SAFETY: only a replacement retires the current object, under the lock.
            let previous = unsafe Unmanaged<Object>.fromOpaque(pointer.load(ordering: .acquiring))
            let (next, result) = unsafe previous.lend(change)
            if let next {
                unsafe pointer.store(UnsafeRawPointer(Unmanaged.passRetained(next).toOpaque()), ordering: .releasing)
                unsafe retired.append((crcu_grace_begin(), previous))
            }
            let over = unsafe retired.partition { unsafe crcu_grace_is_over($0.grace) == 1 }
            defer { unsafe retired.removeSubrange(over...) }
            return unsafe (Array(retired[over...]), result)
        }
        // Outside the lock: what ends with the object may take other locks.
        var over = unsafe released
        while let entry = unsafe over.popLast() { unsafe entry.object.release() }
        return result
    }
}

extension Published where Object == Decider {
    /// ``withCurrent(_:)`` for other modules, which cannot specialize it.
    package func withDecider(_ body: (Decider) -> Void) { withCurrent(body) }
}
