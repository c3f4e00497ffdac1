internal import JWTCore

/// What a host may keep of an accepted token beside the request, in bytes of a ``DecisionMemory``.
package struct HostMetadata: Sendable {
    /// The name of the provider.
    package let provider: Range<Int>
    /// The name in the settings.
    package let key: Range<Int>
    /// A JSON object, as the token has it.
    package let json: Range<Int>
}

extension DecisionMemory {
    /// Gives the documents of accepted tokens the names of the settings.
    mutating func describeDocuments(_ policy: PolicyRules) {
        for place in keptDocuments.indices {
            let kept = keptDocuments[place]
            policy.providers.lend(kept.provider) { provider in
                let name = add(provider.nameBytes)
                if let key = provider.payloadMetadata {
                    hostMetadata.append(HostMetadata(provider: name, key: add(key), json: kept.documents.payload))
                }
                if let key = provider.headerMetadata {
                    hostMetadata.append(HostMetadata(provider: name, key: add(key), json: kept.documents.header))
                }
            }
        }
    }
}
