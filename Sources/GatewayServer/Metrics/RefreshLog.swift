#if Gateway
internal import JWKSCache
internal import Logging

/// Writes the events of key sets into the log: failures and alarms as warnings, changes as notices, the rest for debugging.
struct RefreshLog: Sendable {
    let logger: Logger

    func record(_ event: RefreshEvent) {
        var metadata: Logger.Metadata = ["source": "\(event.source)"]
        switch event.kind {
        case .fetchStarted(let cause):
            metadata["cause"] = "\(cause)"
            logger.debug("keys are fetched", metadata: metadata)
        case .fetchFailed(let failure, let retryIn):
            metadata["code"] = "\(failure.code)"
            metadata["error"] = "\(failure)"
            metadata["retry_seconds"] = "\(retryIn.components.seconds)"
            logger.warning("keys were not fetched", metadata: metadata)
        case .confirmed: logger.debug("keys are unchanged", metadata: metadata)
        case .installed(let change, let generation):
            metadata["generation"] = "\(generation)"
            metadata["added"] = "\(change.added.count)"
            metadata["removed"] = "\(change.removed.count)"
            logger.notice("keys are installed", metadata: metadata)
        case .overtaken: logger.debug("an older response is ignored", metadata: metadata)
        case .restored(let age):
            metadata["age_seconds"] = "\(age.components.seconds)"
            logger.notice("stored keys are used", metadata: metadata)
        case .storedSetRefused(let reason):
            metadata["reason"] = "\(reason)"
            logger.warning("stored keys are refused", metadata: metadata)
        case .expired: logger.error("keys have expired", metadata: metadata)
        case .alarm(let alarm):
            metadata["code"] = "\(alarm.code)"
            logger.warning("alarm", metadata: metadata)
        }
    }
}
#endif
