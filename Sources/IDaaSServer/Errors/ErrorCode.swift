#if IDaaS
/// The codes of the error catalogue.
public enum ErrorCode: String, Hashable, Sendable, CaseIterable {
    case systemBusy = "IDAAS.SDK.COMMON.1008"
}
#endif
