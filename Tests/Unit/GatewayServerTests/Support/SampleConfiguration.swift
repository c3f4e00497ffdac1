/// A configuration that is right, with one setting replaced.
enum SampleConfiguration {
    static let text = """
        listeners:
          - name: edge
            profile: nginx
            tcp: 127.0.0.1:0
        administration:
          tcp: 127.0.0.1:0
        providers:
          - name: idp
            issuer: https://idp.example
            audiences: [client-1]
            keys:
              url: https://idp.example/jwks
            tokenFrom:
              - authorization: Bearer
            claims:
              - header: x-user
                claim: sub
        policies:
          - name: api
            requires: idp
            realm: api
        routes:
          - path: /
            policy: api
        tokenCache:
          megabytes: 1
        log:
          level: info

        """

    static func replacing(_ old: String, with new: String) -> String { text.replacing(old, with: new, maxReplacements: 1) }
}
