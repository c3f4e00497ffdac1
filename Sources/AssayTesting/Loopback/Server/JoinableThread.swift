import Glibc

/// A thread that runs once and can be waited for.
struct JoinableThread: Sendable {
    private let id: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws(SocketFailure) {
        // SAFETY: the box is retained here and released by the thread, once.
        let box = unsafe Unmanaged.passRetained(Box(body))
        var id = pthread_t()
        let result = unsafe pthread_create(
            &id, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            unsafe box.release()
            throw SocketFailure("pthread_create")
        }
        self.id = id
    }

    func join() { pthread_join(id, nil) }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
