/// Why a socket cannot listen. The text names the address and the system's reason.
package struct ListeningFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: Reason
    package let description: String

    package enum Reason: String, Sendable {
        /// The address is not one of this machine, or the path is too long for a socket.
        case invalidAddress = "invalid_address"
        /// Another socket listens there.
        case addressInUse = "address_in_use"
        /// The path holds something that is not a socket, or a socket of another user.
        case pathTaken = "path_taken"
        /// The user or the group of the socket file does not exist.
        case unknownOwner = "unknown_owner"
        /// The manager of services passed no such socket.
        case notPassed = "not_passed"
        /// A system call failed.
        case system
    }

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
