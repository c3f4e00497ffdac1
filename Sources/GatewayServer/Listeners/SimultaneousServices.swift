#if Gateway
internal import ServiceLifecycle

/// Services that begin and end together. A service group ends one after the other, and the first would use up the time of the last.
struct SimultaneousServices: Service, CustomStringConvertible {
    let name: String
    let services: [any Service]

    /// The service group logs this name instead of the whole value.
    var description: String { name }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            // The first that fails ends the others.
            for try await _ in group {}
        }
    }
}
#endif
