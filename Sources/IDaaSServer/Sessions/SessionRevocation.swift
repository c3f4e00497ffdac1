/// Why the server ended a session.
package enum SessionRevocation: String, Hashable, Sendable {
    /// A token was presented long after its successor was issued.
    case reuse
    /// A token was presented by another client or device.
    case foreignDevice = "foreign_device"
    case lockedUser = "locked_user"
}
