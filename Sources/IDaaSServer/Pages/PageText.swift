internal import IDaaSWire

/// The texts of the login page, by their names in the templates.
enum PageText {
    static func all(in language: Language) -> [String: String] { table.mapValues { language == .english ? $0.english : $0.chinese } }

    private static let table: [String: (english: String, chinese: String)] = [
        "title": ("Log in to", "登录"),
        "script": ("This page needs JavaScript.", "本页面需要启用 JavaScript。"),
        "user": ("User name", "用户名"),
        "password": ("Password", "密码"),
        "logIn": ("Log in", "登录"),
        "useSMS": ("Log in with an SMS code", "使用短信验证码登录"),
        "mobile": ("Mobile number", "手机号"),
        "send": ("Send the code", "发送验证码"),
        "code": ("Code of the SMS", "短信验证码"),
        "back": ("Back", "返回"),
        "slide": ("Drag the piece to its place", "拖动滑块完成拼图"),
        "scene": ("A picture with a hole", "带缺口的图片"),
        "keys": ("Or use the arrow keys, with Shift for small steps, and Enter.", "也可以使用方向键(按住 Shift 微调)和回车键。"),
        "check": ("Check", "确认"),
        "renew": ("Another picture", "换一张"),
        "cancel": ("Cancel", "取消"),
        "factor": ("A second factor is required.", "需要进行二次认证。"),
        "usePhone": ("Confirm on my phone", "使用手机验证器确认"),
        "useMessage": ("Send me an SMS code", "使用短信验证码"),
        "restart": ("Start again", "重新登录"),
        "confirm": ("Confirm on your phone", "请在手机上确认"),
        "match": ("Open the app and type this number:", "打开应用并输入以下数字:"),
        "binding": ("The phone shows this text, too:", "手机上也会显示以下内容:"),
        "open": ("Open the app to confirm the login.", "打开应用确认登录。"),
        "denied": ("The login was denied on the phone", "登录已在手机上被拒绝"),
        "deniedAdvice": ("If this was not you, change your password.", "如果不是您本人操作,请修改密码。"),
        "expired": ("The request has expired", "请求已过期"),
        "again": ("Try again", "重试"),
        "success": ("You are logged in", "登录成功"),
        "successAdvice": ("You can close this page.", "您可以关闭此页面。"),
        "network": ("The server cannot be reached. Check the network.", "无法连接服务器,请检查网络。"),
        "left": ("{0} seconds left", "剩余 {0} 秒"),
        "another": ("That was not the place. Try another picture.", "位置不正确,请重试。"),
        "resend": ("Send again in {0} s", "{0} 秒后可重新发送"),
        "ended": ("The login has expired. Start again.", "登录已失效,请重新登录。"),
        "sent": ("The code was sent.", "验证码已发送。"),
        "unknown": ("The server did not understand this page.", "服务器返回了无法识别的内容。"),
        "failure": ("Login is not possible", "无法登录"),
        "unknownClient": (
            "The address of this page names no application. Go back to the application and try again.", "页面地址中没有有效的应用,请返回应用重试。"
        ),
    ]
}
