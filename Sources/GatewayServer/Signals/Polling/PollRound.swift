#if Gateway
/// What the next question tells the transmitter about the events of the last answer.
struct PollRound {
    private var acknowledged: [String] = []
    private var refused: [String: SignalRefusalDocument] = [:]
    private var most: Int

    init(most: Int) { self.most = most }

    mutating func note(_ name: String, _ receipt: SignalReceipt) {
        switch receipt {
        case .accepted: acknowledged.append(name)
        case .refused(let refusal): refused[name] = SignalRefusalDocument(refusal)
        // The transmitter keeps it, and sends it again.
        case .delayed: break
        }
    }

    /// After an answer that was too large.
    mutating func askForFewer() { most = max(1, most / 2) }

    /// - Parameter waits: whether the transmitter may hold the answer back. It takes acknowledgements at once all the same.
    func question(waits: Bool) -> PollQuestion {
        PollQuestion(maxEvents: most, returnImmediately: !waits, ack: acknowledged.sorted(), setErrs: refused)
    }
}
#endif
