internal import Foundation
internal import Program

// idaas-crash ASSAY ROUNDS [PEOPLE [SERVERS FOLDER]]: in each round PEOPLE users (50) log in at once, by SMS, through WeChat, with one click and
// with a phone as second factor, and the server is killed at a random point. After the restart every received answer must be valid, and
// nothing that was consumed may work again.
//
// With FOLDER the store is a PostgreSQL database, on the server that scripts/postgres.sh started there. With several SERVERS they are behind
// HAProxy, one is killed every other second, and in each round the database restarts, or is killed; in the last round its replica takes over.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

struct Arguments {
    let command: String
    let rounds: Int
    var people = 50
    var servers = 1
    var cluster: String?

    init?(_ arguments: [String]) {
        guard [2, 3, 5].contains(arguments.count), let rounds = Int(arguments[1]) else { return nil }
        (command, self.rounds) = (arguments[0], rounds)
        guard arguments.count > 2 else { return }
        guard let people = Int(arguments[2]) else { return nil }
        self.people = people
        guard arguments.count > 3 else { return }
        guard let servers = Int(arguments[3]), servers > 0 else { return nil }
        (self.servers, cluster) = (servers, arguments[4])
    }
}

func run(_ arguments: Arguments) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "idaas-crash-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try arguments.cluster.map { try Database.made(in: $0) } ?? .file(in: directory)
    let installation = try Installation(
        command: arguments.command, servers: arguments.servers, database: database, in: directory)
    do {
        try await run(installation, arguments)
    } catch {
        await installation.stop()
        throw error
    }
    await installation.stop()
}

func run(_ installation: Installation, _ arguments: Arguments) async throws {
    try await installation.start()
    let tenant = try await Tenant.registering(installation)
    let crowd = try await Crowd(arguments.people, tenant, installation)
    var facts = Facts()
    if arguments.servers > 1 { try installation.database.order("standby") }
    for number in 0..<arguments.rounds {
        let round = Round(people: try crowd.people(of: number), installation: installation)
        if arguments.servers > 1 {
            try await round.act(under: .of(number, of: arguments.rounds))
        } else {
            try await round.act(killing: Kill(in: number, among: round.people))
        }
        try await round.check(&facts) { try await $0.isHonoured(&$1) }
        try await round.check(&facts) { try await $0.keepsConsumed(&$1) }
        try await installation.advance(by: 31)
        try await round.check(&facts) { try await $0.keepsReplaced(&$1) }
        // The next servers have a correct clock again.
        await installation.kill()
        try await installation.start()
        if (number + 1) % 10 == 0 { say("  \(number + 1) rounds") }
    }
    for fact in Fact.allCases { say("  \(fact.rawValue): \(facts.counts[fact] ?? 0) times") }
    // Few rounds with several servers end most logins, so that few states remain to be looked at.
    let unseen = facts.unseen
    guard unseen.isEmpty || arguments.servers > 1 else { throw Wrong("too few kills: never looked at \(unseen.map(\.rawValue))") }
}

guard let arguments = Arguments(ProgramArguments.orExit()) else {
    FileHandle.standardError.write(Data("usage: idaas-crash ASSAY ROUNDS [PEOPLE [SERVERS FOLDER]]\n".utf8))
    exit(2)
}
do {
    try await run(arguments)
} catch {
    FileHandle.standardError.write(Data("idaas-crash: \(error)\n".utf8))
    exit(1)
}
