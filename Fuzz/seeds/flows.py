"""Answers of a tenant to the flows, and arguments of calls."""

from fetching import EC, METADATA, set_of

ANSWERS = [
    b'\0{"timestamp":1700000100000}', b'\0"1700000100"',
    b'\0{"id_token":"a.b.c","session_token":"s","expire":7200,"id_token_expire":"600"}',
    b'\5{"error_code":"COMMON.1004","error_msg":"m","details":{"retry_after":30,"a":["b",null,1.5]}}', b"\x10<html>", b"\0",
    b'\x20{"status":" SOCIAL_BIND",'
    b'"state_token":"t","data":"{\\"verifications\\":[\\"VERIFY_PHONE\\"]}"}', b'\0{"status":"USER_LOCKED","state_token":"t"}', b"\x09{}",
    b'\0{"token":"t","originalImageBase64":"aGk=","jigsawImageBase64":"aGk=","secretKey":"0123456789abcdef","expire":"60"}',
    b'\0{"captcha_token":"c"}', b'\0{"sessions":[{"id":"a","device_name":"d","current":"true","authenticated":"1700000000000"}]}',
    b'\0{"phoneAreaCodeDefinitions":[{"areaCode":"86","countryCode":"CN","mobileRegex":"^(\\\\+?0?86\\\\-?)?1[3-9]\\\\d{9}$",'
    b'"displayMapping":"{\\"en\\":\\"China\\"}","areaCodeSuffixes":["1"]}],"preferredAreaCode":"CN"}',
    b'\0{"data":{"bound":true,"bound_at":1700000000,"key_id":"k"}}',
    b'\0{"data":{"random":"r","client_id":"c","client_name":"n","expire":60}}',
    b'\0{"code":"0","data":{"challenge":"c"}}', b'\0{"public_key":"MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="}',
    b"\0" + METADATA[0].replace(b"https://idp.example", b"https://tenant.example/api/v1/oauth2"), b"\0" + set_of(EC % b"es"),
]
ARGUMENTS = [b"", b"123456", b"+86-13800000000", b"wx0123456789abcdef://oauth?code=c&state=s", b"https://a.example:8443/",
b"http://[::1]:80",
             b"https://app.example/wx/wx0123456789abcdef/oauth?code=c&state=s",
             b"MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="]
