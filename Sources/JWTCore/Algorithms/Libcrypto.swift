internal import COpenSSL

/// The libcrypto that this process has loaded.
public enum Libcrypto {
    /// Whether it has the algorithms that verification needs. It lacks them if its configuration (`OPENSSL_CONF`) loads no provider that has
    /// them, or asks for properties that none has, such as `fips=yes` without the FIPS provider. Every key is then unusable with
    /// `keys_unavailable`: the fault is in the process, not in the key.
    public static var isUsable: Bool { cossl_is_usable() == 1 }

    /// What to tell an operator if it is not usable.
    package static let sentence = "libcrypto has no SHA-256, RSA or EC: look at its configuration (OPENSSL_CONF, openssl.cnf)"
}
