import Foundation
import Testing

/// Public keys as `openssl` writes them, made once for these tests; their private halves were deleted.
struct PublicKeyDocument: CustomTestStringConvertible {
    let testDescription: String
    let pem: String

    init(_ testDescription: String, _ pem: String) {
        self.testDescription = testDescription
        self.pem = pem
    }

    /// The bytes in the PEM block.
    var der: [UInt8] {
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Array(Data(base64Encoded: lines.joined()) ?? Data())
    }

    /// `der` in a PEM block with any label.
    static func pem(_ label: String, _ der: [UInt8]) -> String {
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
    }

    /// An RSA key of 2,048 bits: SubjectPublicKeyInfo, PKCS#1, and in a certificate.
    static let rsa = Self(
        "RSA",
        """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAove6l6+2/ssbNlR9F7K2
        4UwvZbp/WTvK9O7dtSJ91r9yyqbMK35P6GfljjtTKrX14oFxyIVbtUnmNGVxD85E
        Mh5rOz4BAWuVymxKZGACjn+1gDgUblBIHR2rGA+rm6Hp0SW+0iq8Kuj4Pjg2a2No
        40XIJ8+PW+vc+Bwh8JYjsUWVqW3oGlWkpX7Ehnfg2ZObm659YLny5rqgDlAjdq2O
        AbOtluQvIYG7czvghNeI39sxboovDz9nSaGCiYhML1Ic/6NhZcZJzBY148/4aR7e
        MuVP2XbD6vrtiQhV3lAqZTB6ZV0oEZhB28+861NyF2zF8F0M0qr5Fjx3LZchDOUH
        JQIDAQAB
        -----END PUBLIC KEY-----
        """)

    static let rsaPKCS1 = Self(
        "RSA in PKCS#1",
        """
        -----BEGIN RSA PUBLIC KEY-----
        MIIBCgKCAQEAove6l6+2/ssbNlR9F7K24UwvZbp/WTvK9O7dtSJ91r9yyqbMK35P
        6GfljjtTKrX14oFxyIVbtUnmNGVxD85EMh5rOz4BAWuVymxKZGACjn+1gDgUblBI
        HR2rGA+rm6Hp0SW+0iq8Kuj4Pjg2a2No40XIJ8+PW+vc+Bwh8JYjsUWVqW3oGlWk
        pX7Ehnfg2ZObm659YLny5rqgDlAjdq2OAbOtluQvIYG7czvghNeI39sxboovDz9n
        SaGCiYhML1Ic/6NhZcZJzBY148/4aR7eMuVP2XbD6vrtiQhV3lAqZTB6ZV0oEZhB
        28+861NyF2zF8F0M0qr5Fjx3LZchDOUHJQIDAQAB
        -----END RSA PUBLIC KEY-----
        """)

    static let rsaCertificate = Self(
        "RSA in a certificate",
        """
        -----BEGIN CERTIFICATE-----
        MIIC+TCCAeGgAwIBAgIUBa7ERYE0RByVeLTaN8RMjZvvN2AwDQYJKoZIhvcNAQEL
        BQAwDDEKMAgGA1UEAwwBdDAeFw0yNjExMjEwNjUyNTRaFw0yNjExMjIwNjUyNTRa
        MAwxCjAIBgNVBAMMAXQwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCi
        97qXr7b+yxs2VH0XsrbhTC9lun9ZO8r07t21In3Wv3LKpswrfk/oZ+WOO1MqtfXi
        gXHIhVu1SeY0ZXEPzkQyHms7PgEBa5XKbEpkYAKOf7WAOBRuUEgdHasYD6uboenR
        Jb7SKrwq6Pg+ODZrY2jjRcgnz49b69z4HCHwliOxRZWpbegaVaSlfsSGd+DZk5ub
        rn1gufLmuqAOUCN2rY4Bs62W5C8hgbtzO+CE14jf2zFuii8PP2dJoYKJiEwvUhz/
        o2FlxknMFjXjz/hpHt4y5U/ZdsPq+u2JCFXeUCplMHplXSgRmEHbz7zrU3IXbMXw
        XQzSqvkWPHctlyEM5QclAgMBAAGjUzBRMB0GA1UdDgQWBBSJlN1cASc8XATXplLy
        KNTB+CBj4jAfBgNVHSMEGDAWgBSJlN1cASc8XATXplLyKNTB+CBj4jAPBgNVHRMB
        Af8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBCjc7nBdEFI7ifJ/DPZOjIqvgT
        rkJSuiwDxCljM9LiR0PxgMKFfQNuuGRfUoQ89JsKh174GY+FzjUWNo5ODWhg1vUN
        BzlY6GtcjAMR0HvM0JDfCPdp6OPydYyrVaYlSpQRyNHKZv5FP31/yigNScEireBl
        LsHsFXJgqYgilE0BXPxWPXcdlSdCr53OD3utVUWL1Ye6FkFoyqGXPOjok16bqcJL
        RqzATROmdwXNvniXZkyHwPnc/KKQ8rJYIjqloF1R1mj0lGVJL4gENDrVTGVfieLh
        9Up66Cl4DcMg62aRVe1bsDBOElBO5l37GNT9+GcezXlOXQeTcF0hBUqZfCnx
        -----END CERTIFICATE-----
        """)

    /// A key on P-256, and in a certificate.
    static let ec = Self(
        "P-256",
        """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaJKM5ATbQWbKHJxVVw7VLuiAWj5w
        sA7hInWRDEIN2xG+jRk94htTTWeratk2qAEBwQWCr6iueEfRjT+1e6Ax0g==
        -----END PUBLIC KEY-----
        """)

    static let ecCertificate = Self(
        "P-256 in a certificate",
        """
        -----BEGIN CERTIFICATE-----
        MIIBbTCCAROgAwIBAgIUKHe9cJ/FPyFltROET7aY7GdeE20wCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBdDAeFw0yNjExMjEwNjUyNTRaFw0yNjExMjIwNjUyNTRaMAwx
        CjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARokozkBNtBZsoc
        nFVXDtUu6IBaPnCwDuEidZEMQg3bEb6NGT3iG1NNZ6tq2TaoAQHBBYKvqK54R9GN
        P7V7oDHSo1MwUTAdBgNVHQ4EFgQU23jUqzeJW0rbryhnjs+BluyfpAgwHwYDVR0j
        BBgwFoAU23jUqzeJW0rbryhnjs+BluyfpAgwDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNIADBFAiABzD9CvJ3ZzIkESuVkxFGrj755vWPM9sQZIRvGirSbsQIh
        AKgB2ZsBgxdf4/ZVFWd9cGFHYuB+EXOQn2233ssU9t9L
        -----END CERTIFICATE-----
        """)

    static let ed25519 = Self(
        "Ed25519",
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAc4po9DQ6dUTIma7wMPOkFSNw3yL12XSHbunvOm8gMzw=
        -----END PUBLIC KEY-----
        """)

    static let secp256k1 = Self(
        "secp256k1",
        """
        -----BEGIN PUBLIC KEY-----
        MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEz2R1M+h7WKf/43ii/EWV29SS5cyBg3m/
        sZYiw17qjUtCOFleUmOkDtYKYMZnV3e7dzvyW9KcbeXsZFatvLd05g==
        -----END PUBLIC KEY-----
        """)

    /// Too weak.
    static let rsa1024 = Self(
        "RSA of 1,024 bits",
        """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCw1TDw+lfO+IKPurQnO4RjV0vp
        sPCGhi7SJ02Ybmrn7VubiDhEShCNTJLjSW06OV2cuv7JTAylRJN0tB7nmfzJf8Z1
        oqSPtcsCl8O7mJPxJYwQO0s/GuRB84brO8Za+1kSF+z3xHe7RROyGFgwwfV5ZFnb
        5Qp81YxEIjRBHBdhzwIDAQAB
        -----END PUBLIC KEY-----
        """)

    /// Only for key agreement.
    static let x25519 = Self(
        "X25519",
        """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VuAyEAkCCAn5yAbEQLOph4yy+SVlZn7djeex7R9VBIeCLZDGY=
        -----END PUBLIC KEY-----
        """)

    /// On a curve without a JOSE name.
    static let p224 = Self(
        "P-224",
        """
        -----BEGIN PUBLIC KEY-----
        ME4wEAYHKoZIzj0CAQYFK4EEACEDOgAEdVxTtrpB24cmTkzcTgDT56Lwu877a3fG
        eZevZYFPixfT83cRaWXSO4AJLOa4zogxeHIlfcSHTQw=
        -----END PUBLIC KEY-----
        """)
}

/// A minimal DER writer, for documents without a real key.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let long: [UInt8] = count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
        return [tag] + (count < 0x80 ? [UInt8(count)] : long) + content
    }

    static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// A positive integer, big-endian.
    static func integer(_ number: [UInt8]) -> [UInt8] { element(0x02, (number.first ?? 0) >= 0x80 ? [0] + number : number) }
}
