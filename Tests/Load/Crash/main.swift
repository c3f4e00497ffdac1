internal import Foundation
internal import IDaaSFlows
import JWKSCache
internal import Program

// idaas-crash ASSAY ROUNDS [PEOPLE]: in each round PEOPLE users (50) log in at once, by SMS, through WeChat, with one click and with a phone
// as second factor, and the server is killed at a random point. After the restart every received answer must be valid, and nothing that was
// consumed may work again.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func advance(_ server: Server, by seconds: Int, _ transport: any FlowTransport) async throws {
    let answer = try await transport.send(
        OutgoingRequest(
            "POST", url: await server.url + "/__dev/clock",
            fields: [HeaderField("X-Assay-Dev", await server.token), HeaderField("Content-Type", "application/json")],
            body: Array("{\"advance\":\(seconds)}".utf8), timeLimit: .seconds(10)))
    guard answer.status == 200 else { throw Wrong("the clock answers \(answer.status)") }
}

func run(_ command: String, rounds: Int, people: Int) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "idaas-crash-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = Server(command: command, directory: directory)
    do {
        try await run(server, rounds: rounds, people: people)
    } catch {
        await server.kill()
        throw error
    }
    await server.kill()
}

func run(_ server: Server, rounds: Int, people count: Int) async throws {
    try await server.start()
    let tenant = try await Tenant.registering(server)
    let crowd = try await Crowd(count, tenant, server)
    var facts = Facts()
    for round in 0..<rounds {
        let people = try crowd.people(of: round)
        await act(people, killing: server, Kill(in: round, among: people))
        try await server.start()
        for person in people { try await person.isHonoured(&facts) }
        for person in people { try await person.keepsConsumed(&facts) }
        try await advance(server, by: 31, tenant.environment.transport)
        for person in people { try await person.keepsReplaced(&facts) }
        // The next server has a correct clock again.
        await server.kill()
        try await server.start()
        if (round + 1) % 10 == 0 { say("  \(round + 1) kills") }
    }
    for fact in Fact.allCases { say("  \(fact.rawValue): \(facts.counts[fact] ?? 0) times") }
    guard facts.unseen.isEmpty else { throw Wrong("too few kills: never looked at \(facts.unseen.map(\.rawValue))") }
}

/// Lets all users act at once, and kills the server after an answer, while it works on others.
func act(_ people: [any Person], killing server: Server, _ kill: Kill) async {
    let countdown = Countdown(kill.answers)
    await withTaskGroup(of: Void.self) { group in
        for person in people {
            group.addTask {
                await person.act { if kill.counts(person), await countdown.isOver() { await server.kill() } }
            }
        }
    }
    await server.kill()
}

/// Counts answers.
actor Countdown {
    private var left: Int

    init(_ count: Int) { left = count }

    /// True once: for the last answer.
    func isOver() -> Bool {
        left -= 1
        return left == 0
    }
}

let arguments = ProgramArguments.orExit()
guard let command = arguments.first, let rounds = arguments.dropFirst().first.flatMap({ Int($0) }) else {
    FileHandle.standardError.write(Data("usage: idaas-crash ASSAY ROUNDS [PEOPLE]\n".utf8))
    exit(2)
}
do {
    try await run(command, rounds: rounds, people: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 50)
} catch {
    FileHandle.standardError.write(Data("idaas-crash: \(error)\n".utf8))
    exit(1)
}
