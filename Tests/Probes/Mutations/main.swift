// Feeds millions of mutated tokens, headers, payloads, key documents, presentations and signed documents to the library: it must never trap,
// and never accept a token or a presentation with changed bytes, nor a document with another payload. scripts/test.sh runs it under
// sanitizers; the printed seed repeats a run.

import Foundation
import JWTCore
import JWTTestSupport
import Program

/// `mutation-probe [COUNT [SEED]]`
struct Run {
    private let count: Int
    private let seed: UInt64
    private let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)

    init(_ arguments: [String]) {
        count = arguments.first.flatMap { Int($0) } ?? 1_000_000
        seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? UInt64(Date().timeIntervalSince1970)
    }

    /// Whether no changed token was accepted.
    func succeeds() async -> Bool {
        print("mutating \(count) inputs, seed \(seed), \(workers) threads")
        let accepted = await mutate()
        print("\(count / workers * workers) inputs, \(accepted) accepted though changed")
        return accepted == 0
    }

    /// The number of changed tokens that were accepted, over all threads.
    @concurrent
    private func mutate() async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    var mutator = Mutator(seed: seed &* 31 &+ UInt64(worker))
                    return Subjects().run(count / workers, &mutator)
                }
            }
            var accepted = 0
            for await part in group { accepted += part }
            return accepted
        }
    }
}

exit(await Run(ProgramArguments.orExit(unless: Engine.fault)).succeeds() ? 0 : 1)
