import DPoP
import JWTCore
import Testing

/// One form for all spellings of a URL (RFC 3986 sections 6.2.2 and 6.2.3), without query and fragment.
struct NormalizedURLTests {
    private static func text(_ url: String) -> String? {
        NormalizedURL(url.utf8.span).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test(arguments: [
        ("https://api.example/orders", "https://api.example/orders"), ("HTTPS://API.Example/orders", "https://api.example/orders"),
        ("https://api.example:443/orders", "https://api.example/orders"), ("https://api.example:/orders", "https://api.example/orders"),
        ("http://api.example:80/orders", "http://api.example/orders"), ("https://api.example:80/orders", "https://api.example:80/orders"),
        ("https://api.example:08443/", "https://api.example:8443/"), ("https://api.example:0443/", "https://api.example/"),
        ("https://api.example", "https://api.example/"), ("https://api.example?x=1", "https://api.example/"),
        ("https://api.example#f", "https://api.example/"), ("https://api.example/a?b#c", "https://api.example/a"),
        ("https://api.example/a#b?c", "https://api.example/a"), ("https://api.example/%7euser", "https://api.example/~user"),
        ("https://api.example/%41%2d%5F", "https://api.example/A-_"), ("https://api.example/a%2fb", "https://api.example/a%2Fb"),
        ("https://api.example/a%2Fb", "https://api.example/a%2Fb"), ("https://api.example/%c3%a9", "https://api.example/%C3%A9"),
        ("https://api.example/a/./b", "https://api.example/a/b"), ("https://api.example/a/../b", "https://api.example/b"),
        ("https://api.example/a/%2e%2E/b", "https://api.example/b"), ("https://api.example/../b", "https://api.example/b"),
        ("https://api.example/a/..", "https://api.example/"), ("https://api.example/a/.", "https://api.example/a/"),
        ("https://api.example/a/b/../", "https://api.example/a/"), ("https://api.example/a/...", "https://api.example/a/..."),
        ("https://api.example//a//", "https://api.example//a//"), ("https://api.example/A", "https://api.example/A"),
        ("https://api.example/a;b=c,d@e:f!$&'()*+", "https://api.example/a;b=c,d@e:f!$&'()*+"),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"), ("https://[2001:DB8::1]:443/", "https://[2001:db8::1]/"),
        ("https://api.example./", "https://api.example./"), ("https://127.0.0.1:8080/x", "https://127.0.0.1:8080/x"),
    ])
    func spellingsOfAURLHaveOneForm(url: String, form: String) {
        #expect(Self.text(url) == form)
        #expect(Self.text(form) == form)
    }

    @Test(arguments: [
        "", "x", "https:", "https:/", "https://", "https:///a", "https://?a", "//api.example/", "/orders", "ftp://api.example/",
        "ws://api.example/",
        "https:api.example/", "https://user@api.example/", "https://user:pass@api.example/", "https://api.example:x/",
        "https://api.example:65536/",
        "https://api.example:000443/", "https://api.example:-1/", "https://api.example:80:80/", "https://[::1/", "https://[]/",
        "https://[::1]x/",
        "https://[::1%25eth0]/", "https://ap%69.example/", "https://api.example/%", "https://api.example/%4", "https://api.example/%4g",
        "https://api.example/a b", " https://api.example/", "https://api.example/\n", "https://api.example/\\a", "https://api.exämple/",
        "https://api.example/é", "https://api.example/a?b c", "https://api.example/a|b", "https://:443/", "https://.example\t/",
        "javascript://x/",
    ])
    func whatIsNoURLOfARequestHasNoForm(url: String) { #expect(Self.text(url) == nil) }

    @Test
    func aPathNeverClimbsOutOfItsAuthority() {
        #expect(Self.text("https://a.example/../../../b.example/x") == "https://a.example/b.example/x")
        #expect(Self.text("https://a.example/.././/x") == "https://a.example//x")
    }

    // A proof whose URL is written as the request's passes without normal forms

    private static let spellings = [
        "https://api.example/orders", "HTTPS://api.example/orders", "https://API.example/orders", "https://api.example:443/orders",
        "https://api.example/orders?page=2", "https://api.example/orders#top", "https://api.example/orders?a|b",
        "https://api.example/orders?%",
        "https://api.example/./orders", "https://api.example/%6frders", "https://api.example/orders%", "https://api.example/ord ers",
        "https://api.example/orders/", "https://api.example", "https://api.example/", "https://api.example?x", "https://api.example/a?b?c",
        "https://api.example/a", "https://api.example/a?b", "http://api.example/orders", "https://a@pi.example/orders", "https:///orders",
        "ftp://api.example/orders", "https://api.example/orders2", "https://api.example/order", "https://api.example/é", "",
        "https://api.example/a..", "https://api.example/..", "https://api.example/a\u{7f}", "https://[::1]/orders",
        "https://api.example/orders\n",
    ]

    /// For every pair: the proof passes exactly if both have one normal form.
    @Test(arguments: spellings)
    func aProofIsForTheURLsOfItsNormalForm(claimed: String) {
        let verifier = ProofVerifier()
        let quoted = claimed.replacing("\n", with: "\\n"), proof = ProofForge.es256.proof(ProofForge.claims(["htu": "\"\(quoted)\""]))
        for url in Self.spellings {
            let isSame = Self.text(claimed) != nil && Self.text(claimed) == Self.text(url)
            #expect(verifier.code(proof, url: url) == (isSame ? nil : "proof_url_mismatch"), "\(claimed) for \(url)")
        }
    }
}
