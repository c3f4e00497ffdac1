// Claims as a type of one's own.

import AssayTesting
import JWTCore
import Testing

struct Employee: Codable, Equatable {
    struct Department: Codable, Equatable { let id: Int, name: String }

    let sub: String
    let email: String?
    let groups: [String]
    let department: Department
}

func employee(of text: String, by verifier: TokenVerifier<KeySet>) throws -> Employee {
    let token = try verifier.verify(text)
    return try token.claims.decode(Employee.self)
}

@Suite struct DecodedClaimsTask {
    @Test func claimsAreDecodedAfterTheirVerification() throws {
        let issuer = try TestIssuer()
        let verifier = TokenVerifier(keys: try issuer.keySet, policy: .idToken(issuer: issuer.identifier, clientID: "client-1"))
        let jane = Employee(sub: "jane", email: nil, groups: ["staff"], department: .init(id: 7, name: "Sales"))
        let token = try issuer.idToken(["groups": jane.groups, "department": jane.department])
        #expect(try employee(of: token, by: verifier) == jane)
        #expect(throws: DecodingError.self) { try employee(of: issuer.idToken(), by: verifier) }
        #expect(throws: VerificationError.self) { try employee(of: TestIssuer().idToken(), by: verifier) }
    }
}
