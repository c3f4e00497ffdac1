internal import IDaaSFlows
internal import IDaaSWire
import JWKSCache
internal import LoginSupport

/// Many wrong passwords at once, each for a name and from a device of its own, while somebody else asks for the server's keys.
struct PasswordFlood {
    let configuration: FlowConfiguration
    let transport: any FlowTransport

    struct Outcome: Sendable {
        /// How often each code was the answer.
        var codes: [String: Int] = [:]
        /// The times of the other requests that were answered before the flood was over.
        var others: [Duration] = []
    }

    func run(_ count: Int) async throws -> Outcome {
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<count { group.addTask { try await attempt(number) } }
            let flood = Flood(count)
            async let others = ask(until: flood)
            var outcome = Outcome()
            for try await code in group {
                outcome.codes[code ?? "logged in", default: 0] += 1
                await flood.answer()
            }
            outcome.others = try await others
            return outcome
        }
    }

    /// - Returns: the code of the refusal; nil if the server accepts the login.
    private func attempt(_ number: Int) async throws -> String? {
        let pc = PC(domain: configuration.domain, client: configuration.clientID, device: "flood \(number)", transport: transport)
        do {
            _ = try await pc.logIn("nobody \(number)", password: "wrong")
            return nil
        } catch let refusal as PC.Refusal {
            return refusal.code
        }
    }

    /// One request after another, as long as the flood goes on.
    private func ask(until flood: Flood) async throws -> [Duration] {
        let request = OutgoingRequest(
            "GET", url: configuration.domain + WirePath.keys, fields: [], body: [], timeLimit: .seconds(120))
        var times: [Duration] = []
        while true {
            let start = ContinuousClock.now
            let answer = try await transport.send(request)
            guard await flood.goesOn else { return times }
            guard answer.status == 200 else { throw FlowError(.unexpectedAnswer(status: answer.status)) }
            times.append(.now - start)
        }
    }
}

/// The attempts without an answer.
private actor Flood {
    private var left: Int

    init(_ count: Int) { left = count }

    var goesOn: Bool { left > 0 }

    func answer() { left -= 1 }
}
