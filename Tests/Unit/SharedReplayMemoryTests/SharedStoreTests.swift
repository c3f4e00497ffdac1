import JWTCore
import ReplayMemory
import SharedReplayMemory
import Testing

/// What holds for every store, with real servers.
@Suite(.serialized) struct SharedStoreTests {
    enum Kind: String, CaseIterable {
        case valkey
        case postgreSQL

        var isInstalled: Bool { self == .valkey ? ValkeyProcess.program != nil : PostgresProcess.isInstalled }

        func start() throws -> any StoreProcess {
            switch self {
            case .valkey: try ValkeyProcess()
            case .postgreSQL: try PostgresProcess()
            }
        }
    }

    /// scripts/dependencies.sh test installs both.
    private static let installed = Kind.allCases.filter(\.isInstalled)
    private static let time = Duration.seconds(5)

    @Test(arguments: installed) func ofManyUsesAtOnceOneIsTheFirst(kind: Kind) async throws {
        let store = try kind.start()
        defer { store.stop() }
        // Each has connections of its own, as two processes have.
        let memories = try [store.memory(Self.time), store.memory(Self.time)]
        for number in 0..<20 {
            let answers = await withTaskGroup(of: String.self) { group in
                for place in 0..<64 { group.addTask { await memories[place % 2].answer(number) } }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == ["first": 1, "replayed": 63])
        }
        #expect(await memories[0].answer(100, until: 1_800_000_000) == "replay_memory_ended")
    }

    @Test(arguments: installed) func aServerThatWasKilledIsFoundAgainAndHasForgottenNothing(kind: Kind) async throws {
        let store = try kind.start()
        defer { store.stop() }
        let memory = try store.memory(Self.time), hasty = try store.memory(.milliseconds(300))
        #expect(await memory.answer(1) == "first")
        #expect(await hasty.answer(1) == "replayed")
        try store.kill()
        #expect(await hasty.answer(2) == "replay_memory_unavailable")
        try store.restart()
        for memory in [memory, hasty] { #expect(await memory.answerOnceThere(1) == "replayed") }
        #expect(await memory.answer(3) == "first")
    }

    /// Its connections stay open, and nothing answers.
    @Test(arguments: installed) func aServerThatDoesNotAnswerEndsNothingButTheUse(kind: Kind) async throws {
        let store = try kind.start()
        defer { store.stop() }
        let memory = try store.memory(.milliseconds(300)), fresh = try store.memory(.milliseconds(300))
        #expect(await memory.answerOnceThere(1) == "first")
        try store.freeze()
        let answers = await withTaskGroup(of: String.self) { group in
            for number in 0..<32 { group.addTask { await (number % 2 == 0 ? memory : fresh).answer(10 + number) } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["replay_memory_unavailable": 32])
        try store.thaw()
        for memory in [memory, fresh] { #expect(await memory.answerOnceThere(1) == "replayed") }
    }

    /// The first use after a pause has next to no time left then, and a connection takes longer.
    @Test(arguments: installed) func aServerThatComesBackIsFoundWhileManyAsk(kind: Kind) async throws {
        let store = try kind.start()
        defer { store.stop() }
        let memory = try store.memory(.milliseconds(200))
        #expect(await memory.answerOnceThere(1) == "first")
        try store.kill()
        #expect(await memory.isAnswered(1, asking: 1_000) == false)
        async let isAnswered = memory.isAnswered(1, asking: 10_000)
        try store.restart()
        #expect(await isAnswered)
    }

    @Test func aServerThatIsNotThereRefusesEveryUse() async throws {
        let port = try TestProgram.freePort(), server = try #require(ValkeyServer(url: "redis://127.0.0.1:\(port)"))
        let time = Duration.milliseconds(200)
        let memories: [any ReplayMemory] = try [
            ValkeyReplayMemory(server, time: time), PostgresReplayMemory(url: "postgresql://127.0.0.1:\(port)/x", time: time),
        ]
        for memory in memories {
            let answers = await withTaskGroup(of: String.self) { group in
                for number in 0..<32 { group.addTask { await memory.answer(number) } }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == ["replay_memory_unavailable": 32])
        }
    }
}
