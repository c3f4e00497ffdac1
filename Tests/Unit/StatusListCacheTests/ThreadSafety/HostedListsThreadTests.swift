import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import StatusListCache
import Synchronization
import Testing

/// Threads ask while others drive the lists. Run under ThreadSanitizer as well.
@Suite(.serialized) struct ThreadSafetyOfHostedListsTests {
    private static let answers = [[0, 0], [0, 1], [0, 2]].map {
        HostedLists.response(TestList(bytes: $0, timeToLive: 15).token, fields: [HeaderField("ETag", "\"1\"")])
    }

    private final class Counts: Sendable {
        let installed = Atomic(0)
        let wrong = Atomic(0)
    }

    @Test func anyThreadMayAskAndDrive() async throws {
        let hosted = try HostedLists(), counts = Counts()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    while counts.installed.load(ordering: .relaxed) < 50 {
                        let finding = hosted.finding(1)
                        if ![.valid, .invalid, .suspended, .unknownList].contains(finding) { counts.wrong.add(1, ordering: .relaxed) }
                        await Task.yield()
                    }
                }
            }
            for driver in 0..<2 {
                group.addTask {
                    while counts.installed.load(ordering: .relaxed) < 50 {
                        if let request = hosted.lists.nextRequest() {
                            let outcome = hosted.lists.receive(Self.answers[counts.installed.load(ordering: .relaxed) % 3], to: request)
                            if outcome == .installed { counts.installed.add(1, ordering: .relaxed) }
                        } else if driver == 0 {
                            hosted.host.advance(min(hosted.lists.nextDue, .seconds(20)))
                        }
                        await Task.yield()
                    }
                }
            }
        }
        #expect(counts.wrong.load(ordering: .relaxed) == 0)
    }
}
