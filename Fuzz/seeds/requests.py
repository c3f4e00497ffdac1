"""Bodies of requests to the reference IDaaS, and texts of the fields that it reads."""

BODIES = [
    b'{"mobile":"13800000000","code":"1","point":{"x":1},"nonce":null,"decision":true}',
    b'{"mobile":1,"code":true,"point":"%s","nonce":[%s],"decision":1.5}' % (b"a" * 70, b'"b",' * 20 + b"1"),
    b'{"mobile":"","code":" ","point":{"x":1.0,"y":[]},"nonce":-1,"decision":"approve"}', b"[]", b"", b'{"a":1,"a":2}', b'{"a":\xff}',
    b"application/json; charset=utf8", b"application/json;charset=\"UTF-8\";a", b"text/html", b"application/json; charset=latin1",
    b"grant_type=a&code=b%20c+d&a=", b"code=%C3%A9", b"code=%ff", b"code", b"=a", b"&&", b"code=a&code=b", b"a=%zz", b"code=123456789",
    b"zh-CN", b"en", b"fr;q=0.1, zh-TW;q=0.9, en; q=0.2", b"zh;q=x,en_GB;q=0", b"*", b"-",
    b"192.0.2.7\n198.51.100.2:443, 192.0.2.9", b"[2001:db8::1]:443, ::ffff:192.0.2.4", b"::1,a,127.0.0.1", b"[::1", b"10.0.0.0/8",
    b"10.0.0.0/33", b"::/0",
    b"2001:DB8:0::9\n2001:db9::1", b"a/b/c", b"127.0.0.1/x", b"0x7f.1", b"1.2.3.4.5",
    b"application/json\nBearer a.b\nprint\nLinux\nagent\n0123456789abcdefABCDEF0123456789\na=b&a=c&%zz\n\n{}",
    b"application/x-www-form-urlencoded; charset=utf-8\nbearer  a \nprint\nLinux\n%s\nno\n=\n\na=b" % (b"a" * 513),
    b"text/plain\nBasic a\nprint\n \n\n\n\n\na", b"application/json\nBearer %s\n\n\n" % (b"a" * 64), b"text/plain\nBearer\n\n\n\n\n\n[]",
    b"0123456789abcdefABCDEF0123456789", b"01234567-89ab-cdef-0123-456789abcdef", b"0123456789abcdefghijklmnopqrstuv", b"01234567-89ab",
]
