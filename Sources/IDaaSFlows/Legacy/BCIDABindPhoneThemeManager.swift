internal import JWTCore
internal import Locks

/// Keeps the theme of the page for binding and registration, under the name of the vendor's SDK.
public final class BCIDABindPhoneThemeManager: Sendable {
    private static let shared = BCIDABindPhoneThemeManager()
    private let current = Locked(BindPhoneTheme())

    public static func sharedInstance() -> BCIDABindPhoneThemeManager { shared }

    /// Replaces the whole theme: a property that is not set now has its default again.
    public func setBindPhoneTheme(_ settings: BCWechatBindPhoneViewCustomSetting) {
        let theme = settings.theme
        current.withLock { $0 = theme }
    }

    /// The theme of the last call; the defaults before the first.
    public var theme: BindPhoneTheme { current.withLock { $0 } }
}
