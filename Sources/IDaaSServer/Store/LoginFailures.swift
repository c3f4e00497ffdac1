/// The wrong codes in a row that one device typed for a number, across codes and clients, and the locks that followed.
///
/// A code belongs to the device that requested it. So does a lock: an attacker cannot lock a number on another person's device.
package struct LoginFailures: Hashable, Sendable {
    package var mobile: String
    /// SHA-256 of the fingerprint of the device.
    package var device: [UInt8]
    package var count: Int
    /// Locks in a row: each lasts twice as long as the previous one.
    package var locks: Int
    /// The first instant at which the device is no longer locked.
    package var lockedUntil: Timestamp?
    package var updated: Timestamp

    package init(
        mobile: String, device: [UInt8], count: Int = 0, locks: Int = 0, lockedUntil: Timestamp? = nil, updated: Timestamp
    ) {
        self.mobile = mobile
        self.device = device
        self.count = count
        self.locks = locks
        self.lockedUntil = lockedUntil
        self.updated = updated
    }
}
