import CommandProgram
import JWTCore
import Locks
import Program

/// The verification of a file of tokens by one or more threads. Each thread reads a block, judges it, and writes its verdicts when all
/// earlier blocks are written: the output has the order of the input.
final class BatchRun: Sendable {
    private struct Input {
        var lines: TokenLines
        var blocks = 0
        var isOver = false
        var failure: CommandFailure?
    }

    /// A block's place in the input.
    private struct Place {
        let number: Int
        let firstLine: Int
        /// The bytes read so far.
        let bytes: Int
    }

    private struct Written {
        var counts = OutcomeCounts()
        var progress: BatchProgress
        /// Set at a block without verdicts: those of later blocks would take its lines.
        var isOver = false
    }

    private let judge: BlockJudge
    private let input: Locked<Input>
    private let written: Locked<Written>
    private let order = WriteOrder()

    init(_ judge: BlockJudge, _ lines: TokenLines, isQuiet: Bool) {
        self.judge = judge
        input = Locked(Input(lines: lines))
        written = Locked(Written(progress: BatchProgress(size: lines.size, isQuiet: isQuiet)))
    }

    /// Judges everything on `jobs` threads.
    ///
    /// - Returns: the counts, and why the rest of the input could not be read, if it could not.
    func run(jobs: Int) async -> (counts: OutcomeCounts, failure: CommandFailure?) {
        ProgramResources.require(threads: jobs)
        // These threads wait for input and for keys, so they are not those of the pool that runs tasks.
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let running = Locked(jobs)
            for _ in 0..<jobs {
                let isStarted = BackgroundThread.start { [self] in
                    work()
                    if Self.countDown(running) { continuation.resume() }
                }
                // The others do its part, if there are any.
                if !isStarted, Self.countDown(running) {
                    if !input.withLock(\.isOver) { end(with: .threadShortage) }
                    continuation.resume()
                }
            }
        }
        written.withLock { $0.progress.end() }
        return (written.withLock { $0.counts }, input.withLock { $0.failure })
    }

    /// - Returns: whether this was the last thread.
    private static func countDown(_ running: Locked<Int>) -> Bool {
        running.withLock { running in
            running -= 1
            return running == 0
        }
    }

    private func work() {
        var block = TokenBatch(), output: [UInt8] = []
        while let place = next(&block) {
            var counts = OutcomeCounts()
            output.removeAll(keepingCapacity: true)
            judge.judge(block, from: place.firstLine, into: &output, &counts)
            // A refusal may be of a good token then.
            let isAnswer = !counts.isRefused || !MemoryShortage.wasMet
            if !isAnswer { end(with: .memoryShortage) }
            write(isAnswer ? output : nil, place, counts)
        }
    }

    private func end(with failure: CommandFailure) {
        input.withLock { input in
            input.failure = input.failure ?? failure
            input.isOver = true
        }
    }

    private func next(_ block: inout TokenBatch) -> Place? {
        input.withLock { input in
            guard !input.isOver else { return nil }
            let firstLine = input.lines.lines + 1
            do throws(CommandFailure) {
                if try input.lines.next(into: &block) {
                    input.blocks += 1
                    return Place(number: input.blocks - 1, firstLine: firstLine, bytes: input.lines.bytes)
                }
            } catch {
                input.failure = error
            }
            input.isOver = true
            return nil
        }
    }

    /// Writes the verdicts on a block when its turn comes; nil ends the output.
    private func write(_ output: [UInt8]?, _ place: Place, _ counts: OutcomeCounts) {
        order.wait(for: place.number)
        defer { order.advance() }
        let isOver = written.withLock { written in
            if output == nil { written.isOver = true }
            return written.isOver
        }
        guard let output, !isOver else { return }
        // Only the thread whose turn it is comes here.
        Terminal.output.write(bytes: output)
        written.withLock { written in
            written.counts.add(counts)
            written.progress.note(lines: written.counts, bytes: place.bytes)
        }
    }
}
