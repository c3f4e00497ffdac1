internal import COpenSSL

extension [UInt8] {
    /// Writes zeros over the bytes, in a way that no compiler leaves out. For the last owner of a secret: another one keeps its copy.
    package mutating func wipe() { unsafe withUnsafeMutableBytes { unsafe cossl_wipe($0.baseAddress, $0.count) } }
}
