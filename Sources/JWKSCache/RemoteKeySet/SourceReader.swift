internal import JWTCore

/// Asks the sources of a key set, in their order, until one has a set that can be used.
struct SourceReader: Sendable {
    let sources: [KeySetSource]
    let transport: any DocumentTransport
    let emptyIsMeant: Bool

    /// Issuers' metadata that have been read, by the place of their source. Read again after a day, and when the keys are not where
    /// they say.
    struct Memory: Sendable {
        var metadata: [Int: (document: IssuerMetadata, readAt: Duration)] = [:]
        static let lifetime: Duration = .seconds(86_400)
    }

    /// What the reader is told of the moment.
    struct Situation: Sendable {
        let order: FetchOrder
        let keys: KeySet?
        let validators: Validators?
        let now: Duration
    }

    /// One attempt. Of several failures the first source's is told: the others are its stand-ins.
    func read(_ situation: Situation, _ memory: inout Memory) async -> FetchResult {
        var first: FetchResult?
        for (index, source) in sources.enumerated() {
            // What was laid down once must not replace what the issuer said later.
            if index > 0, !source.isLive, situation.keys != nil { continue }
            let result = await read(source, index, situation, &memory)
            guard case .failed = result else { return result }
            first = first ?? result
        }
        return first ?? .failed(.noUsableKey, retryAfter: nil)
    }

    private func read(_ source: KeySetSource, _ index: Int, _ situation: Situation, _ memory: inout Memory) async -> FetchResult {
        switch source.place {
        case .url(let url): return await fetch(url, source.format, index, situation)
        case .issuer(let issuer): return await fetch(issuer, index, situation, &memory)
        case .inline(let text): return parse(text, source.format, CacheDirectives(), .init(sourceIndex: index, url: nil), situation)
        case .file(let path):
            guard let text = RegularFile.read(path, limit: KeySet.maximumBytes) else { return .failed(.unreadableFile, retryAfter: nil) }
            return parse(text, source.format, CacheDirectives(), .init(sourceIndex: index, url: nil), situation)
        }
    }

    private func fetch(_ issuer: String, _ index: Int, _ situation: Situation, _ memory: inout Memory) async -> FetchResult {
        do throws(FetchEnd) {
            let known = memory.metadata[index].flatMap { situation.now - $0.readAt < Memory.lifetime ? $0.document : nil }
            let metadata = if let known { known } else { try await discover(issuer, situation) }
            if known == nil { memory.metadata[index] = (metadata, situation.now) }
            let result = await fetch(metadata.keysURL, .jwks, index, situation)
            guard known != nil, case .failed(.status(404), _) = result else { return result }
            let moved = try await discover(issuer, situation)
            memory.metadata[index] = (moved, situation.now)
            return await fetch(moved.keysURL, .jwks, index, situation)
        } catch {
            return .failed(error.failure, retryAfter: error.retryAfter)
        }
    }

    private struct FetchEnd: Error {
        let failure: RefreshFailure
        var retryAfter: Duration?
    }

    private func discover(_ issuer: String, _ situation: Situation) async throws(FetchEnd) -> IssuerMetadata {
        guard let addresses = IssuerMetadata.addresses(of: issuer) else {
            throw FetchEnd(failure: .fetch(FetchFailure(.invalidURL, issuer)))
        }
        var status = 404
        for address in addresses {
            let response: DocumentResponse
            do throws(FetchFailure) {
                response = try await transport.fetch(DocumentRequest(url: address, isForced: situation.order.isForced))
            } catch {
                throw FetchEnd(failure: .fetch(error))
            }
            if response.status == 200 {
                do { return try IssuerMetadata(response.body, of: issuer) } catch { throw FetchEnd(failure: error) }
            }
            status = response.status
            // There is no such document here; there may be the other.
            guard (400..<500).contains(status) else {
                throw FetchEnd(failure: .status(status), retryAfter: CacheDirectives.retryAfter(response))
            }
        }
        throw FetchEnd(failure: .status(status))
    }

    private func fetch(_ url: String, _ format: KeySetSource.Format, _ index: Int, _ situation: Situation) async -> FetchResult {
        let origin = FetchResult.Origin(sourceIndex: index, url: url)
        let validators = situation.keys == nil ? nil : situation.validators.flatMap { $0.origin == origin ? $0 : nil }
        let request = DocumentRequest(
            url: url, isForced: situation.order.isForced, entityTag: validators?.entityTag, lastModified: validators?.lastModified)
        do throws(FetchFailure) {
            let response = try await transport.fetch(request)
            return judge(response, to: request, format, origin, situation)
        } catch {
            return .failed(.fetch(error), retryAfter: nil)
        }
    }

    private func judge(
        _ response: DocumentResponse, to request: DocumentRequest, _ format: KeySetSource.Format, _ origin: FetchResult.Origin,
        _ situation: Situation
    ) -> FetchResult {
        let directives = CacheDirectives(response)
        switch response.status {
        case 200: return parse(response.body, format, directives, origin, situation)
        case 304 where request.isConditional: return .notModified(directives)
        case 304: return .failed(.unexpectedNotModified, retryAfter: nil)
        default: return .failed(.status(response.status), retryAfter: CacheDirectives.retryAfter(response))
        }
    }

    private func parse(
        _ text: [UInt8], _ format: KeySetSource.Format, _ directives: CacheDirectives, _ origin: FetchResult.Origin, _ situation: Situation
    ) -> FetchResult {
        do throws(RefreshFailure) {
            let document = try KeyDocument(text, format, reusing: situation.keys)
            guard document.hasUsableKey || emptyIsMeant && document.keys.keys.isEmpty else { return .failed(.noUsableKey, retryAfter: nil) }
            return .document(document, directives, from: origin)
        } catch {
            return .failed(error, retryAfter: nil)
        }
    }
}
