#if IDaaS
/// Why a session ended without anybody asking for it.
package enum SessionRevocation: String, Hashable, Sendable {
    /// A token whose successor had long been given out.
    case reuse
    /// A token with another client or on another device than it belongs to.
    case foreignDevice = "foreign_device"
    case lockedUser = "locked_user"
}
#endif
