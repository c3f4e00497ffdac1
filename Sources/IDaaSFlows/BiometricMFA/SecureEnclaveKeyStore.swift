#if canImport(LocalAuthentication) && canImport(Security)
internal import Foundation
public import IDaaSWire
internal import LocalAuthentication
internal import Security

/// Keys in the Secure Enclave of an Apple device. A key signs only for the faces and fingers that were enrolled when it was made, and never
/// leaves the device. Linux has no such frameworks: this file is compiled there against stubs, and not run.
public final class SecureEnclaveKeyStore: BiometricKeyStore {
    private struct Item {
        let name: BiometricKeyName
        let key: SecKey
        let enrolment: String
    }

    private let text: @Sendable (BiometricReason) -> String
    private let latest = RecentContext()

    /// - Parameter text: what the system shows to the user. The app translates it.
    public init(text: @escaping @Sendable (BiometricReason) -> String) { self.text = text }

    public func availability() async -> BiometricAvailability {
        let context = LAContext()
        var error: NSError?
        guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
            return .unavailable(error.flatMap { LAError.Code(rawValue: $0.code) }.map(BiometricFailure.init) ?? .unsupported)
        }
        return context.biometryType == .faceID ? .face : .touch
    }

    public func publicKey(_ name: BiometricKeyName) async throws(BiometricFailure) -> [UInt8] {
        let enrolment = Self.enrolment
        if let item = try Self.items().first(where: { $0.name == name && $0.enrolment == enrolment }) { return try Self.document(item.key) }
        try await remove(name)
        let flags: SecAccessControlCreateFlags = [.privateKeyUsage, .biometryCurrentSet]
        guard
            let access = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as CFTypeRef, flags, nil),
            let tag = try? JSONEncoder().encode(name)
        else { throw .keyUnusable }
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag, kSecAttrLabel as String: enrolment,
                kSecAttrAccessControl as String: access,
            ] as [String: Any],
        ]
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil) else { throw .keyUnusable }
        return try Self.document(key)
    }

    public func name(ofPublicKey publicKey: [UInt8]) async throws(BiometricFailure) -> BiometricKeyName? {
        for item in try Self.items() where try Self.document(item.key) == publicKey { return item.name }
        return nil
    }

    public func signature(
        _ name: BiometricKeyName, for reason: BiometricReason, reuse: Duration, of message: @Sendable (UserVerification) -> [UInt8]
    ) async throws(BiometricFailure) -> BiometricSignature {
        guard let stored = try Self.items().first(where: { $0.name == name }) else { throw .keyMissing }
        guard stored.enrolment == Self.enrolment else { throw .keyInvalidated }
        let context = try await latest.verified(within: reuse, text(reason))
        guard let item = try Self.items(context).first(where: { $0.name == name }),
            let bytes = SecKeyCreateSignature(
                item.key, .ecdsaSignatureMessageX962SHA256, Data(message(.biometric)) as CFData, nil)
        else { throw .keyUnusable }
        return BiometricSignature(bytes: Array(bytes as Data), verification: .biometric)
    }

    public func remove(_ name: BiometricKeyName) async throws(BiometricFailure) {
        guard let tag = try? JSONEncoder().encode(name) else { throw .keyUnusable }
        let query: [String: Any] = [kSecClass as String: kSecClassKey, kSecAttrApplicationTag as String: tag]
        guard [errSecSuccess, errSecItemNotFound].contains(SecItemDelete(query as CFDictionary)) else { throw .keyUnusable }
    }

    /// The enrolled faces and fingers, as the system identifies them.
    private static var enrolment: String {
        let context = LAContext()
        var error: NSError?
        _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
        return context.evaluatedPolicyDomainState?.base64EncodedString() ?? ""
    }

    private static func items(_ context: LAContext? = nil) throws(BiometricFailure) -> [Item] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave, kSecReturnRef as String: true,
            kSecReturnAttributes as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        if let context { query[kSecUseAuthenticationContext as String] = context }
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        guard status != errSecItemNotFound else { return [] }
        guard status == errSecSuccess, let found = result as? [[String: Any]] else { throw .keyUnusable }
        return found.compactMap { attributes in
            guard let tag = attributes[kSecAttrApplicationTag as String] as? Data,
                let name = try? JSONDecoder().decode(BiometricKeyName.self, from: tag), let key = attributes[kSecValueRef as String]
            else { return nil }
            // A query for references gives no other type. Swift has no conditional cast to a Core Foundation type.
            return Item(name: name, key: key as! SecKey, enrolment: attributes[kSecAttrLabel as String] as? String ?? "")
        }
    }

    /// SubjectPublicKeyInfo: the system gives only the point.
    private static func document(_ key: SecKey) throws(BiometricFailure) -> [UInt8] {
        guard let publicKey = SecKeyCopyPublicKey(key), let point = SecKeyCopyExternalRepresentation(publicKey, nil),
            (point as Data).count == 65
        else { throw .keyUnusable }
        return head + Array(point as Data)
    }

    /// RFC 5480: an uncompressed point on P-256.
    private static let head: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01,
        0x07, 0x03, 0x42, 0x00,
    ]
}

/// The latest verification of the user.
private actor RecentContext {
    private var latest: (context: LAContext, at: ContinuousClock.Instant)?

    func verified(within reuse: Duration, _ text: String) async throws(BiometricFailure) -> sending LAContext {
        if let latest, .now - latest.at < reuse { return latest.context }
        let context = LAContext()
        do {
            guard try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: text) else {
                throw LAError(.authenticationFailed)
            }
        } catch {
            throw (error as? LAError).map { BiometricFailure($0.code) } ?? .other(error.localizedDescription)
        }
        latest = (context, .now)
        return context
    }
}

extension BiometricFailure {
    fileprivate init(_ code: LAError.Code) {
        switch code {
        case .authenticationFailed: self = .failed
        case .userCancel, .userFallback: self = .cancelled
        case .systemCancel, .appCancel: self = .interrupted
        case .passcodeNotSet: self = .passcodeNotSet
        case .biometryNotAvailable: self = .unsupported
        case .biometryNotEnrolled: self = .notEnrolled
        case .biometryLockout: self = .lockedOut
        @unknown default: self = .other("\(code.rawValue)")
        }
    }
}
#endif
