public import IDaaSWire

/// A SIM card of a simulated phone.
public struct SimulatedSIM: Hashable, Sendable {
    public let carrier: Carrier
    /// `+86-13800000000`
    public let mobile: String
    /// 2 to 5.
    public let generation: Int

    public init(_ carrier: Carrier, mobile: String, generation: Int = 4) {
        self.carrier = carrier
        self.mobile = mobile
        self.generation = generation
    }

    /// Whether the carrier offers one-click login in this generation of its network: China Mobile from 2G, China Unicom from 3G, China Telecom
    /// from 4G. 2G and 3G fail or time out more often.
    public var isServed: Bool {
        switch carrier {
        case .mobile: generation >= 2
        case .unicom: generation >= 3
        case .telecom: generation >= 4
        }
    }
}

/// What a simulated phone has: SIM cards, and the state of its network.
public struct SimulatedPhone: Hashable, Sendable {
    public var cards: [SimulatedSIM]
    /// The card that carries mobile data.
    public var dataCard = 0
    /// Mobile data. Wi-Fi alone is not enough.
    public var hasMobileData = true
    /// Whether the program may use the network.
    public var permitsNetwork = true

    public init(_ cards: [SimulatedSIM]) { self.cards = cards }

    public var dataSIM: SimulatedSIM? { cards.indices.contains(dataCard) ? cards[dataCard] : nil }

    /// Why one-click login cannot work; nil if it can.
    ///
    /// - Parameter mobile: the number to verify. On a phone with two cards it has to be that of the card for data, and has to be named.
    func obstacle(for mobile: String?) -> CarrierCode? {
        guard let sim = dataSIM else { return .noSIM }
        guard hasMobileData, permitsNetwork else { return .noCellular }
        guard sim.isServed else { return .unknownCarrier }
        guard let mobile else { return nil }
        return mobile.suffix(11) == sim.mobile.suffix(11) ? nil : .parameters
    }
}
