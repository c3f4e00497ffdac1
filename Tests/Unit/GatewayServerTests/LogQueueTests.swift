import Dispatch
import HTTPEdge
import JWTCore
import Locks
import Testing

@Suite struct LogQueueTests {
    /// A terminal that is paused, or a pipe whose reader has stopped.
    @Test func aReaderThatStopsHoldsNobody() {
        let gate = DispatchSemaphore(value: 0), begun = DispatchSemaphore(value: 0), written = Locked("")
        let write: @Sendable ([UInt8]) -> Void = { bytes in
            begun.signal()
            gate.wait()
            written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        }
        let queue = LogQueue(limit: 20, lossLine: { "lost \($0)\n" }, write: write)
        queue.append("line 0\n")
        begun.wait()
        for number in 1..<100 { queue.append("line \(number)\n") }
        let early = written.withLock { $0 }
        #expect(early.isEmpty)
        for _ in 0..<100 { gate.signal() }
        queue.flush()
        let lines = written.withLock { $0.split(separator: "\n").map(String.init) }
        let kept = lines.filter { $0.hasPrefix("line ") }, lost = lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(kept.first == "line 0")
        #expect(lines.filter { $0.hasPrefix("lost ") }.count == 1)
        #expect(kept.count + (lost.last ?? 0) == 100, "\(lines)")
    }

    @Test func linesKeepTheirOrder() {
        let written = Locked("")
        let write: @Sendable ([UInt8]) -> Void = { bytes in written.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
        let queue = LogQueue(lossLine: { "lost \($0)\n" }, write: write)
        for number in 0..<1_000 { queue.append("\(number)\n") }
        queue.flush()
        let text = written.withLock { $0 }
        #expect(text == (0..<1_000).map { "\($0)\n" }.joined())
    }
}
