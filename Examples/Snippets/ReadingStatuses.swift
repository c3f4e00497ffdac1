// The snippets of the documentation of TokenStatus and StatusListCache, which quotes them line by line.

import HTTPGuard
import JWKSCache
import JWTCore
import StatusListCache
import TokenStatus

func isValid(_ response: String, _ uri: String, _ index: Int, keys: KeySet, refuse: () -> Bool) throws -> Bool {
    let lists = StatusListVerifier(keys: keys)
    let list = try lists.verify(response, uri: uri)
    guard let status = list.status(at: index), status == 0 else { return refuse() }
    return true
}

func judge(_ reference: borrowing StatusReference, keys: RemoteKeySet, refuse: (String) -> Bool) throws -> Bool {
    let issuer = try StatusListIssuer("https://idp.example", origins: ["https://status.example"], keys: keys)
    let lists = StatusLists([issuer], transport: try GuardedClient())
    let verdict = lists.verdict(of: reference, issuer: "https://idp.example")
    guard verdict.isAdmitted else { return refuse(verdict.finding.code) }
    return true
}
