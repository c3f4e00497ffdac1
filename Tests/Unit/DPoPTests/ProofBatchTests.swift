import DPoP
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// A batch gives each request the verdict that it gets alone.
struct ProofBatchTests {
    private static let issuer = TokenForge(.es256, keyID: nil)
    private static let tokens = TokenVerifier(keys: issuer.keySet, policy: ClaimsPolicy(issuer: "https://idp.example", audience: "api"))
    private static let clients = [ProofForge.es256, .other, ProofForge(.ed25519), ProofForge(.ps256), ProofForge(.es384)]

    private struct Request {
        var token: String
        var proof: String
        var method = "GET"
        var url = "https://api.example/orders?page=2"
    }

    private static func token(_ confirmation: String, expiration: Int = 1_700_003_600) -> String {
        let claims = #"{"iss":"https://idp.example","aud":"api","exp":\#(expiration),"iat":1700000000\#(confirmation)}"#
        return issuer.signer.token(payload: claims) ?? ""
    }

    private static func request(_ client: ProofForge, _ tokenID: String = "1", of owner: ProofForge? = nil) -> Request {
        let token = token(#","cnf":{"jkt":"\#((owner ?? client).thumbprint)"}"#)
        let changes = ["jti": "\"\(tokenID)\"", "ath": "\"\(ProofForge.hash(token))\""]
        return Request(token: token, proof: client.proof(ProofForge.claims(changes)))
    }

    /// Valid requests of all clients, and one of each kind of refusal between them.
    private static func requests(_ seed: Int) -> [Request] {
        var generator = SplitMix(seed)
        var requests = (0..<90).map { request(clients[$0 % clients.count], "id-\($0)") }
        for (place, client) in clients.enumerated() {
            let other = clients[(place + 1) % clients.count]
            var tampered = request(client), late = request(client), wrong = request(client), elsewhere = request(client)
            tampered.proof = tampered.proof.dropLast(8) + "AAAAAAAA"
            late.token = token(#","cnf":{"jkt":"\#(client.thumbprint)"}"#, expiration: 1_600_000_000)
            wrong.method = "PUT"
            elsewhere.url = "https://api.example/%"
            let bare = token(""), thief = request(other, of: client)
            let header = #"{"typ":"dpop+jwt","alg":"\#(client.algorithm.name)","jwk":\#(other.jwk)}"#
            let swapped = Request(token: thief.token, proof: client.proof(header: header))
            let stolen = Request(token: request(client).token, proof: request(client, of: other).proof)
            let forged = Request(token: request(client).token.dropLast(8) + "AAAAAAAA", proof: request(client).proof)
            requests += [tampered, late, wrong, elsewhere, thief, swapped, stolen, forged, request(client), request(client)]
            requests += [
                Request(token: bare, proof: request(client).proof), Request(token: "", proof: ""), Request(token: "a.b.c", proof: "x"),
            ]
        }
        return requests.shuffled(using: &generator)
    }

    private static func single(_ request: Request, _ verifier: ProofVerifier) -> String {
        do throws(VerificationError) {
            let token = try tokens.verify(request.token, now: ProofForge.now)
            guard case .keyThumbprint(let key) = try token.claims.confirmation else { throw VerificationError(.unboundToken) }
            let proof = try verifier.verify(
                request.proof, method: request.method, url: request.url, accessToken: request.token, boundTo: key, now: ProofForge.now)
            return text(proof)
        } catch {
            return "\(error.code.name) \(error.offset.map(String.init) ?? "")"
        }
    }

    private static func text(_ proof: VerifiedProof) -> String {
        "\(proof.thumbprint) \(proof.algorithm.name) \(proof.issuedAt.seconds) \(proof.end.seconds) \(String(decoding: proof.tokenID, as: UTF8.self))"
    }

    private static func batch(_ requests: [Request], _ verifier: ProofVerifier) -> [String] {
        var batch = ProofBatch()
        for request in requests {
            batch.append(accessToken: request.token, proof: request.proof, method: request.method, url: request.url)
        }
        #expect("\(batch)" == "ProofBatch(\(requests.count))")
        return verifier.verify(batch, tokens: tokens, now: ProofForge.now).map { verdict in
            switch verdict {
            case .success(let proven): text(proven.proof)
            case .failure(let error): "\(error.code.name) \(error.offset.map(String.init) ?? "")"
            }
        }
    }

    /// Keys that come for the first time, that come back, and that have tables.
    @Test(arguments: 0..<4) func aBatchIsAsItsRequestsAlone(seed: Int) {
        let requests = Self.requests(seed), expected = requests.map { Self.single($0, ProofVerifier()) }
        #expect(Set(expected).count > 90)
        let verifier = ProofVerifier()
        for round in 0..<4 {
            #expect(Self.batch(requests, verifier) == expected, "round \(round)")
            KeyTables.senders.settle()
        }
        #expect(requests.map { Self.single($0, verifier) } == expected)
    }

    @Test func anEmptyBatchHasNoVerdicts() { #expect(Self.batch([], ProofVerifier()).isEmpty) }

    @Test func aReusedBatchForgetsItsRequests() {
        var batch = ProofBatch()
        let request = Self.request(.es256)
        for count in 0..<3 {
            #expect(batch.count == count)
            batch.append(
                accessToken: Array(request.token.utf8), proof: Array(request.proof.utf8), method: Array("GET".utf8),
                url: Array(request.url.utf8))
        }
        batch.removeAll()
        #expect(batch.count == 0 && ProofVerifier().verify(batch, tokens: Self.tokens, now: ProofForge.now).isEmpty)
    }
}

/// The same order in each run.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
        return word ^ word >> 31
    }
}
