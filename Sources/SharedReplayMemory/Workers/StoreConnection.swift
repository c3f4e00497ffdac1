#if Gateway
internal import JWTCore
internal import ReplayMemory

/// A connection to a store. One thread uses it.
protocol StoreConnection {
    /// Whether the store has ended the connection while it was idle. Never waits.
    var isOver: Bool { get }

    /// Uses `identifier`, and waits for the store's answer until the deadline.
    func use(_ identifier: ReplayIdentifier, until end: NumericDate, now: NumericDate, _ deadline: StoreDeadline) throws(StoreFailure)
        -> ReplayUse

    /// What has to be done now and then, after a use was answered.
    func maintain(_ deadline: StoreDeadline) throws(StoreFailure)
}

/// Why a store gave no answer.
struct StoreFailure: Error {
    let error: ReplayMemoryError
    /// Whether the connection is of no use any more.
    let endsConnection: Bool

    init(_ code: ReplayMemoryError.Code, _ detail: String, endsConnection: Bool) {
        error = ReplayMemoryError(code, detail)
        self.endsConnection = endsConnection
    }
}

extension StoreFailure {
    /// The gateways' clocks may differ by so much. A store remembers a use so much longer than the gateway that asks for it does.
    static var clockDifference: Int64 { 300 }
}
#endif
