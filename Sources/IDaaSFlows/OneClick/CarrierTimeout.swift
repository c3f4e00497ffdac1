extension Duration {
    /// The time-out of the carriers' calls, where none is given.
    public static let usualCarrierTimeout: Self = .seconds(3)

    /// A time-out as the SDK document has it, in seconds: 0.0 is the default. So is what no clock can measure.
    public init(carrierTimeout seconds: Double) {
        self = seconds > 0 && seconds <= 600 ? .seconds(seconds) : .usualCarrierTimeout
    }

    /// Zero and less are the default.
    var orUsualCarrierTimeout: Self { self > .zero ? self : .usualCarrierTimeout }
}
