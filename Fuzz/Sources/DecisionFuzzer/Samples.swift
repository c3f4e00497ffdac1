/// The keys of two issuers, and tokens signed once for this test; the private keys were not kept.
enum Samples {
    static let keysOfA = #"""
        {"keys":[{"kty":"EC","crv":"P-256","kid":"a","alg":"ES256","use":"sig",
        "x":"RSeiPieR9pU4aROQY7E1xFwnfLnuJD4_fmb6JXEDNzY",
        "y":"GCbXDrlw1o7J3seP9A-xRegWP-vUT-ocAQCjevA4xFM"}]}
        """#
    static let keysOfB = #"""
        {"keys":[{"kty":"EC","crv":"P-256","kid":"b","alg":"ES256","use":"sig",
        "x":"l64zGMfV8FO2J7ZQZGLSQUa2Yi9Vie8sm2B5zwuSiME",
        "y":"Gl7BhrcxLG55b3uKuKSASM-C9LnrYu0V49qr6EJ2UlQ"}]}
        """#

    /// An instant at which the valid tokens are valid.
    static let now: Int64 = 1_700_000_100

    /// Valid tokens of issuer a, of issuer b, and of issuer a with scopes and a line break in `sub`.
    static let a = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6ImFwaSIsInN1YiI6InMiLCJleHAiOjE3MDAwMDM\
        2MDAsImlhdCI6MTcwMDAwMDAwMH0.RvchK4GJLWtRAz3o9EEdN7iiGWB0Q8jb9uoN6SSVT6AWxtJjdPEuE87uUGGSWsiIMkru5wcBSyASXNcAElE5Eg
        """
    static let b = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImIifQ.eyJpc3MiOiJodHRwczovL2IuZXhhbXBsZSIsImF1ZCI6ImFwaSIsInN1YiI6InMiLCJleHAiOjE3MDAwMDM\
        2MDAsImlhdCI6MTcwMDAwMDAwMH0.jU-AOOY8Q482xwINZeNV5IOtMWKCuqeMVdMPXCIXsGqMUsYfnuCaF1s73SNyxgVViBzuLtcj2eu3tpUO3VRV-Q
        """
    static let scoped = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6ImFwaSIsInN1YiI6ImFcclxuYiIsImV4cCI6MTc\
        wMDAwMzYwMCwiaWF0IjoxNzAwMDAwMDAwLCJzY29wZSI6InJlYWQgd3JpdGUifQ.oF2ynxlQcrdwNyTDCLpz4L5ynwI5WukW72C2XHy-8XTRslrlUvstv_\
        vinzID9PzvT4uVpkJ3ItKQ3gFRHOrAzA
        """

    /// Refused ones: expired, for another audience, under the other issuer's key, with another signature, and without one.
    static let expired = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6ImFwaSIsInN1YiI6InMiLCJleHAiOjE2MDAwMDA\
        wMDAsImlhdCI6MTcwMDAwMDAwMH0.LTc5-xtqVBf3mWXPoB0q-X5yE_NJJFwMgNPCzIaewD-E56ml0iupM4OXCrLygMGq4eS6nnGPOhxDRIWh0-isoA
        """
    static let elsewhere = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6Im90aGVyIiwic3ViIjoicyIsImV4cCI6MTcwMDA\
        wMzYwMCwiaWF0IjoxNzAwMDAwMDAwfQ.NCH6un2IjhV22tfLo1YerwTyZJaAoEkWp90VWIUmnf_aNfCtnxI9Tm7EZirBwIhGAbXlyt1rpCQHjIKDI2lENA
        """
    static let foreign = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6ImFwaSIsInN1YiI6InMiLCJleHAiOjE3MDAwMDM\
        2MDAsImlhdCI6MTcwMDAwMDAwMH0.KOFyCJRAlfxbXpKajJDdQFmynIQRBG3h5_DrP_e2Oqlbd-rwy3shkGKNmdA8tbA4c42m4Ixn7AEhCrSHlje-3g
        """
    static let tampered = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6ImFwaSIsInN1YiI6InMiLCJleHAiOjE3MDAwMDM\
        2MDAsImlhdCI6MTcwMDAwMDAwMH0.sko59Nz09faatHWPOQaE14oKGEkm1_HQgVw4hZA6Gf4WKzAtcdRAkn6vLmmYsNjCVVdziDWwzJJgyB-B11jJKw
        """
    static let unsigned = """
        eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2EuZXhhbXBsZSIsImF1ZCI6ImFwaSIsInN1YiI6InMiLCJleHAiOjE3MDAwMDM2MDAsImlhdCI6MT\
        cwMDAwMDAwMH0.
        """

    /// What a byte of an input from 0xf8 on stands for. No such byte is in UTF-8.
    static let inserted = [a, b, scoped, expired, elsewhere, foreign, tampered, unsigned]
}
