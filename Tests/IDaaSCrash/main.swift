#if HTTP
internal import Foundation
internal import IDaaSFlows
internal import IDaaSHTTP
internal import LoginSupport

// idaas-crash ASSAY ROUNDS [PEOPLE]: in each round so many people (50) log in at once, and the server is killed at a random point of that; started
// again, it honours every answer that was read, and takes nothing a second time that was used up.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func advance(_ server: Server, by seconds: Int, _ transport: any FlowTransport) async throws {
    let answer = try await transport.send(
        FlowRequest(
            method: "POST", url: await server.url + "/__dev/clock",
            fields: [WireField("X-Assay-Dev", await server.token), WireField("Content-Type", "application/json")],
            body: Array("{\"advance\":\(seconds)}".utf8), timeout: .seconds(10)))
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
    let configuration = try FlowConfiguration(domain: await server.url, clientID: "demo")
    let environment = try FlowEnvironment.http(for: configuration, store: MemorySessionStore())
    var judgement = Judgement(configuration, environment)
    for round in 0..<rounds {
        let outbox = await Outbox(domain: server.url, token: server.token, transport: environment.transport)
        let people = (0..<count).map { number in
            Person(mobile: "+86-137\(String(format: "%08d", round * count + number))", configuration, environment, outbox)
        }
        await act(people, killing: server, after: Int.random(in: answers(of: round, people: count)))
        try await server.start()
        for person in people { try await judgement.honours(person) }
        for person in people { try await judgement.keepsConsumed(person) }
        try await advance(server, by: 31, environment.transport)
        for person in people { try await judgement.keepsRotated(person) }
        // The clock is right again in the next one.
        await server.kill()
        try await server.start()
        if (round + 1) % 10 == 0 { say("  \(round + 1) kills") }
    }
    for (fact, times) in judgement.counts.sorted(by: { $0.key < $1.key }) { say("  \(fact): \(times) times") }
    guard judgement.counts.count == 6 else { throw Wrong("some of the six things were never looked at: too few kills") }
}

/// The answers among which the kill of a round falls: each quarter of them in turn, so that few rounds see every state too.
func answers(of round: Int, people count: Int) -> ClosedRange<Int> {
    let first = round % Person.answers * count
    return first + 1...first + count
}

/// Lets all act at once, and kills the server when so many answers have been read, while it works on others.
func act(_ people: [Person], killing server: Server, after answers: Int) async {
    let countdown = Countdown(answers)
    await withTaskGroup(of: Void.self) { group in
        for person in people {
            group.addTask {
                await person.act { if await countdown.isOver() { await server.kill() } }
            }
        }
    }
    await server.kill()
}

/// Counts answers.
actor Countdown {
    private var left: Int

    init(_ count: Int) { left = count }

    /// True once: for the last one.
    func isOver() -> Bool {
        left -= 1
        return left == 0
    }
}

let arguments = CommandLine.arguments.dropFirst()
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
#endif
