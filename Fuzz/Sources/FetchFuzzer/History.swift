/// Keys over time.
protocol History {
    func apply(_ event: [UInt8])

    /// Traps unless the state is one that may be, after every event.
    func check()
}
