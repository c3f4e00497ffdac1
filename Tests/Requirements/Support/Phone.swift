import IDaaSTestSupport
import IDaaSWire

extension WirePhone {
    /// Logs in by SMS on a device of its own.
    init(of person: Person, device: String = "phone", client: String = LiveServer.client) async throws {
        let owner = person.on(device).at(client)
        try self.init(owner.wire, idToken: try await owner.session().idToken)
    }

    func approve(_ waiting: Waiting) async throws -> WireReply { try await respond(Answer(matchCode: waiting.matchCode)) }
}
