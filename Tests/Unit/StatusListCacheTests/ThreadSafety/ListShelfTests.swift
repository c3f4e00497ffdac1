import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Synchronization
import Testing

/// Readers look up while lists are replaced and forgotten. Run under ThreadSanitizer as well.
@Suite(.serialized) struct ThreadSafetyOfListsTests {
    private final class Looks: Sendable {
        let isOver = Atomic(false)
        let all = Atomic(0)
        let wrong = Atomic(0)
    }

    @Test func readersSeeOneListOrTheOther() async throws {
        let observed = try ObservedLists(), looks = Looks()
        observed.transport.answer(TestList.uri, TestList(bytes: [0, 0]).token)
        _ = observed.ask()
        await observed.settle()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    while !looks.isOver.load(ordering: .relaxed) {
                        for _ in 0..<100 {
                            let finding = observed.finding(1)
                            if ![.valid, .invalid, .suspended, .unknownList].contains(finding) { looks.wrong.add(1, ordering: .relaxed) }
                            looks.all.add(1, ordering: .relaxed)
                        }
                        await Task.yield()
                    }
                }
            }
            for round in 1...100 {
                observed.transport.answer(TestList.uri, TestList(bytes: [0, UInt8(round % 3)]).token)
                if round.isMultiple(of: 10) { observed.lists.forget(TestList.uri, of: TestList.issuer) }
                if observed.lists.statuses.first?.bytes == 2 { try await observed.refresh() } else { await observed.settle() }
                observed.clock.advance(by: .seconds(1))
            }
            #expect(await settles { looks.all.load(ordering: .relaxed) > 1_000 })
            looks.isOver.store(true, ordering: .relaxed)
            try await group.waitForAll()
        }
        #expect(looks.wrong.load(ordering: .relaxed) == 0)
    }
}
