// The declarations of Apple's Security that IDaaSFlows uses. Its Core Foundation types are bridged there, and Swift's own here.

public import Foundation

public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFData = Data
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public final class CFError {}
public final class SecKey {}
public final class SecAccessControl {}

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userPresence = Self(rawValue: 1 << 0)
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
}

public enum SecKeyAlgorithm: Sendable { case ecdsaSignatureMessageX962SHA256 }

public let kSecClass = "class", kSecClassKey = "keys", kSecAttrKeyType = "type", kSecAttrKeyTypeECSECPrimeRandom = "73"
public let kSecAttrKeySizeInBits = "bsiz", kSecAttrTokenID = "tkid", kSecAttrTokenIDSecureEnclave = "com.apple.setoken"
public let kSecPrivateKeyAttrs = "private", kSecAttrIsPermanent = "perm", kSecAttrApplicationTag = "atag", kSecAttrLabel = "labl"
public let kSecAttrAccessControl = "accc", kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly = "akpu", kSecReturnRef = "r_Ref"
public let kSecReturnAttributes = "r_Attributes", kSecMatchLimit = "m_Limit", kSecMatchLimitAll = "m_LimitAll"
public let kSecUseAuthenticationContext = "u_AuthCtx", kSecValueRef = "v_Ref"
public let errSecSuccess: OSStatus = 0, errSecItemNotFound: OSStatus = -25_300

public func SecAccessControlCreateWithFlags(
    _ allocator: AnyObject?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { nil }
public func SecKeyCreateRandomKey(_ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> SecKey? { nil }
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { nil }
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> CFData? { nil }
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: CFData, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? { nil }
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { errSecItemNotFound }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { errSecItemNotFound }
