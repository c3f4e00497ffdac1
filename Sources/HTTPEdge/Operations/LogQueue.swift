internal import Dispatch
internal import Locks

/// Writes lines without letting the caller wait. Where the reader of a log stops, the program goes on: lines beyond a limit are lost, and a
/// line says how many.
package final class LogQueue: Sendable {
    private struct State {
        var pending: [UInt8] = []
        /// Whether the pending lines will be written without a further request.
        var isDue = false
        var lost = 0
    }

    private let limit: Int
    private let lossLine: @Sendable (Int) -> String
    private let write: @Sendable ([UInt8]) -> Void
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "log")

    /// Lines wait this long for others: waking a thread for each would cost more than the line.
    private static let delay = DispatchTimeInterval.milliseconds(20)

    /// - Parameters:
    ///   - limit: bytes that may wait.
    ///   - lossLine: the line for a number of lost lines.
    ///   - write: writes lines, and may wait.
    package init(
        limit: Int = 1_048_576, lossLine: @escaping @Sendable (Int) -> String,
        write: @escaping @Sendable ([UInt8]) -> Void = { StandardError.write($0) }
    ) {
        self.limit = limit
        self.lossLine = lossLine
        self.write = write
    }

    /// Takes a line with its line end.
    package func append(_ line: String) {
        let starts = state.withLock { state in
            guard state.pending.count + line.utf8.count <= limit else {
                state.lost += 1
                return false
            }
            state.pending.append(contentsOf: line.utf8)
            defer { state.isDue = true }
            return !state.isDue
        }
        if starts { queue.asyncAfter(deadline: .now() + Self.delay) { self.writePending() } }
    }

    /// Writes the lines so far. Waits at most two seconds for the reader.
    package func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.writePending()
            done.signal()
        }
        _ = done.wait(timeout: .now() + 2)
    }

    private func writePending() { while let bytes = takePending() { write(bytes) } }

    private func takePending() -> [UInt8]? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.isDue = false
                return nil
            }
            var bytes = state.pending
            if state.lost > 0 { bytes += lossLine(state.lost).utf8 }
            state.pending = []
            state.lost = 0
            return bytes
        }
    }
}
