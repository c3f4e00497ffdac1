/// Certificates that `openssl` made once for these tests; the private keys were deleted.
extension PublicKeyDocument {
    /// A certificate on P-256, the one that issued it, and the one that issued that and itself.
    static let leaf = Self(
        "leaf",
        """
        -----BEGIN CERTIFICATE-----
        MIIBZzCCAQ2gAwIBAgIUESvdFUIdQk/ifvJkhL0GK2tqSMwwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBbTAeFw0yNjExMzAyMDQwMjlaFw0yNjEyMDEyMDQwMjlaMAwx
        CjAIBgNVBAMMAWwwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS2KUHKiI4n3SBd
        gDcamvWMdsKQ3cK0Yq8OhB9lSSvnIwOswsimfaua6dSGQE4XtiRarddbR0By01jn
        U9KimroJo00wSzAJBgNVHRMEAjAAMB0GA1UdDgQWBBR8F1pJI8qBXfGaXJ1TYc/N
        mLjIaTAfBgNVHSMEGDAWgBQIoiJRDIslgV+mkri1o7TEPDQeizAKBggqhkjOPQQD
        AgNIADBFAiEAyxmnyok2Ae2bCURK9MnrEQrcMTaktlj3QMxE3Hk4YxACIFz7+Cah
        pBaBKOEr3MVcV5PrO48KjvF6oH84zgZ55XAG
        -----END CERTIFICATE-----
        """)

    static let intermediate = Self(
        "intermediate",
        """
        -----BEGIN CERTIFICATE-----
        MIIBbjCCAROgAwIBAgIUUIB5WN95FElK+/Onk3nieO+UWuUwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBcjAeFw0yNjExMzAyMDQwMjlaFw0yNjEyMDEyMDQwMjlaMAwx
        CjAIBgNVBAMMAW0wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARlcAYn3FCV/qlb
        1l101PmNvXHEF+vrjtV5igjgr3Mt6Vfolf4EW+57UJ/QjaEG0Q5uoeWbM1mkyvA4
        FruPvKs8o1MwUTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBQIoiJRDIslgV+m
        kri1o7TEPDQeizAfBgNVHSMEGDAWgBTqejBS4cd4JyYcQ/xlqIs/daCPSTAKBggq
        hkjOPQQDAgNJADBGAiEA7n0WMQ3yraQb+xZSX57ZMzUXkviiWBXrWuftIDrwrhgC
        IQCIo+f8BfLkLCs/0RfY3YihB5JPv7vwsmHHmck2H8Cqqg==
        -----END CERTIFICATE-----
        """)

    static let root = Self(
        "root",
        """
        -----BEGIN CERTIFICATE-----
        MIIBbjCCAROgAwIBAgIUeS98v9LGKtJy7f2wa2cVXag0lZEwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBcjAeFw0yNjExMzAyMDQwMjlaFw0yNjEyMDEyMDQwMjlaMAwx
        CjAIBgNVBAMMAXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQfBFWGn4/1fD65
        QXtRAE17h2qr/j+5teQzNNMipSymu0V7mFnklLPuqlioIr2IjLi4smQjV50EicbL
        tQLhVHmno1MwUTAdBgNVHQ4EFgQU6nowUuHHeCcmHEP8ZaiLP3Wgj0kwHwYDVR0j
        BBgwFoAU6nowUuHHeCcmHEP8ZaiLP3Wgj0kwDwYDVR0TAQH/BAUwAwEB/zAKBggq
        hkjOPQQDAgNJADBGAiEAivOv2/RKGX0gPMupqFFsZohyQIRE8fxAifAaPIfozN8C
        IQD5Qj7P3cKUdI1p5ocEm1IfIMsB0k3ezaWRZJV8ixboag==
        -----END CERTIFICATE-----
        """)

    /// The key of ``leaf`` in a certificate with an extension that is the PEM text of another key, on lines of its own.
    static let certificateWithPEM = Self(
        "certificate with PEM in an extension",
        """
        -----BEGIN CERTIFICATE-----
        MIIBujCCAWCgAwIBAgIUGpqp4OBLphhUCM4pssBxTV+116MwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBZTAeFw0yNjExMzAyMDQwMzBaFw0yNjEyMDEyMDQwMzBaMAwx
        CjAIBgNVBAMMAWUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS2KUHKiI4n3SBd
        gDcamvWMdsKQ3cK0Yq8OhB9lSSvnIwOswsimfaua6dSGQE4XtiRarddbR0By01jn
        U9KimroJo4GfMIGcMHsGAyoDBAR0DHIKLS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0t
        LS0KTUNvd0JRWURLMlZ3QXlFQVFXOW5uSExiOTd6R2pZb0ZlTndGbzBpbHloUGtY
        Ymt1SWdCaTdib2RLQms9Ci0tLS0tRU5EIFBVQkxJQyBLRVktLS0tLQowHQYDVR0O
        BBYEFHwXWkkjyoFd8ZpcnVNhz82YuMhpMAoGCCqGSM49BAMCA0gAMEUCIQC3mOjn
        i6Wk0rREcYdPh+2iMoIyFgdWL11r3vsMUD+T5wIgfsy0Dwv/MtdA1JmC4UMz7xK/
        zJPHcv0wT5uL7ecOEiY=
        -----END CERTIFICATE-----
        """)
}
