public import IDaaSWire

/// What a result code of one-click login means. The raw values are stable, for logs and counters.
public enum CarrierMeaning: String, Hashable, Sendable, CaseIterable {
    // Progress
    case success
    case pageShown = "page_shown"
    case environmentReady = "environment_ready"

    // What the user does
    case back
    case switchMethod = "switch_method"
    case loginPressed = "login_pressed"
    case consentChanged = "consent_changed"
    case linkPressed = "link_pressed"
    /// A second page that asks for consent: shown, closed, confirmed, or its link pressed.
    case consentPage = "consent_page"

    // Failures
    case noSIM = "no_sim"
    case noCellular = "no_cellular"
    case timedOut = "timed_out"
    /// An argument, or the registration of this program at the vendor: scheme and bundle id.
    case parameters
    case configuration
    case carrier
    case unknownCarrier = "unknown_carrier"
    case carrierSwitched = "carrier_switched"
    case prefetchFailed = "prefetch_failed"
    case tokenFailed = "token_failed"
    case tokenDead = "token_dead"
    case pageFailed = "page_failed"
    case pageOpen = "page_open"
    case customView = "custom_view"
    case unsafeDevice = "unsafe_device"
    case maintenance
    case limited
    case keyUnreadable = "key_unreadable"
    /// A token came without the user's consent: it was thrown away.
    case consentMissing = "consent_missing"
    case unknown

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool {
        switch self {
        case .noCellular, .timedOut, .carrier, .carrierSwitched, .prefetchFailed, .tokenFailed, .tokenDead, .pageFailed, .maintenance,
            .limited, .unknown:
            true
        default: false
        }
    }

    /// The result code of the SDK document; nil where its callback is not called. A failure without a code of its own is `4444`.
    public var legacyCode: String? {
        switch self {
        case .success, .pageShown, .environmentReady: "6666"
        case .back: "6667"
        case .loginPressed: "6668"
        case .switchMethod: "6669"
        case .consentChanged, .linkPressed, .consentPage: nil
        case .noSIM: "1111"
        case .noCellular: "2222"
        case .parameters, .configuration, .customView, .pageOpen: "3344"
        case .timedOut: "5555"
        default: "4444"
        }
    }

    /// One sentence for the user.
    public func text(in language: Language) -> String {
        switch self {
        case .success: language.choose("Success", "请求成功")
        case .pageShown: language.choose("The page is shown", "授权页已唤起")
        case .environmentReady: language.choose("One-click login is available", "支持一键登录")
        case .back: language.choose("Cancelled", "用户取消")
        case .switchMethod: language.choose("Another method was chosen", "切换到其他方式")
        case .loginPressed: language.choose("Login was pressed", "点击登录按钮")
        case .consentChanged: language.choose("The check box was pressed", "点击勾选框")
        case .linkPressed: language.choose("An agreement was opened", "点击协议")
        case .consentPage: language.choose("The consent page was used", "二次确认页操作")
        case .noSIM: language.choose("There is no SIM card", "设备无SIM卡")
        case .noCellular: language.choose("Mobile data are off: one-click login needs them, also beside Wi-Fi", "未开启移动数据网络")
        case .timedOut: language.choose("The carrier did not answer in time", "请求超时")
        case .parameters: language.choose("A parameter is empty or wrong; compare scheme and bundle id", "参数为空或异常,请核对方案与bundleId")
        case .configuration:
            language.choose("The carrier's configuration cannot be had; compare scheme and bundle id", "获取运营商配置失败,请核对方案与bundleId")
        case .carrier: language.choose("The carrier failed", "运营商异常")
        case .unknownCarrier: language.choose("The carrier is not supported", "无法识别运营商")
        case .carrierSwitched: language.choose("The SIM card for data was switched", "数据卡已切换")
        case .prefetchFailed: language.choose("The number could not be fetched", "预取号失败")
        case .tokenFailed: language.choose("The login token could not be fetched", "获取登录token失败")
        case .tokenDead: language.choose("The login token has expired or was used", "token已失效")
        case .pageFailed: language.choose("The page could not be shown", "唤起授权页失败")
        case .pageOpen: language.choose("The page is already open", "授权页已打开")
        case .customView: language.choose("A view of the page failed", "自定义控件异常")
        case .unsafeDevice: language.choose("The device is not safe", "设备环境不安全")
        case .maintenance: language.choose("One-click login is in maintenance", "功能维护中")
        case .limited: language.choose("Too many requests", "请求次数超限")
        case .keyUnreadable: language.choose("The key of the SDK cannot be read", "密钥解析失败")
        case .consentMissing: language.choose("The user has not agreed", "用户未同意协议")
        case .unknown: language.choose("One-click login failed", "一键登录失败")
        }
    }
}
