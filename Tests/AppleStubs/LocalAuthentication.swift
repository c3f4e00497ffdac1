// The declarations of Apple's LocalAuthentication that IDaaSFlows uses.

public import Foundation

public enum LAPolicy: Int, Sendable {
    case deviceOwnerAuthenticationWithBiometrics = 1
}

public enum LABiometryType: Int, Sendable {
    case none = 0
    case touchID = 1
    case faceID = 2
}

public struct LAError: Error {
    public enum Code: Int, Sendable {
        case authenticationFailed = -1
        case userCancel = -2
        case userFallback = -3
        case systemCancel = -4
        case passcodeNotSet = -5
        case biometryNotAvailable = -6
        case biometryNotEnrolled = -7
        case biometryLockout = -8
        case appCancel = -9
    }

    public init(_ code: Code) { self.code = code }
    public let code: Code
}

public class LAContext {
    public init() {}
    public var biometryType: LABiometryType { .none }
    public var evaluatedPolicyDomainState: Data? { nil }
    public func canEvaluatePolicy(_ policy: LAPolicy, error: inout NSError?) -> Bool { false }
    public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { false }
}
