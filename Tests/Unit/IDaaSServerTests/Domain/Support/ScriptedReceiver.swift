import IDaaSServer
import Locks

/// A receiver that keeps what it is offered and answers as a test says.
final class ScriptedReceiver: SignalReceiver {
    struct Offer: Hashable, Sendable {
        let token: String
        let url: String
        let secret: String?
    }

    /// The answer to the offer with an ordinal, from 1.
    typealias Answer = @Sendable (Int, Offer) -> SignalReceipt

    private struct State {
        var offers: [Offer] = []
        var answer: Answer = { _, _ in .taken }
    }

    private let state = Locked(State())

    /// In their order.
    var offers: [Offer] { state.withLock { $0.offers } }

    func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func take(_ token: String, at url: String, secret: String?) async -> SignalReceipt {
        state.withLock { state in
            let offer = Offer(token: token, url: url, secret: secret)
            state.offers.append(offer)
            return state.answer(state.offers.count, offer)
        }
    }
}
