"""Headers, claims, metadata and keys, each with one property that a reader looks for."""

HEADERS = [
    b'{"alg":"HS256","kid":"%s"}' % name for name in (b"hs", b"ed", b"es", b"twin", b"weak", b"broken", b"enc", b"other")
] + [b'{"alg":"%s"}' % name for name in (b"HS256", b"HS512", b"EdDSA", b"Ed25519", b"ES256", b"ML-DSA-44", b"none")] + [
    b'{"alg":"HS256","kid":"es"}', b'{"alg":"ES256","kid":"hs"}', b'{"alg":"HS256","crit":["b64"],"b64":false}',
    b'{"alg":"HS256","crit":["x"],"x":1}', b'{"alg":"HS256","enc":"A128GCM"}', b'{"alg":"HS256","zip":"DEF"}', b'{"typ":"JWT"}',
    b'{"alg":"HS256","cty":"JWT"}', b'{"alg":"HS256","typ":"at+jwt"}', b'{"alg":"HS256","typ":"application\\/at+jwt"}', b"[]",
]
CLAIMS = [
    b'{"iss":"https://idp.example","sub":"user-1","aud":"client-1","exp":1700003600,"iat":1700000000,"nonce":"n-1","tenant":"t"}',
    b'{"iss":"https://idp.example","sub":"user-1","aud":["client-1","api"],"azp":"client-2","exp":1.7e9,"iat":1700000000}',
    b'{"iss":"https://b.example","aud":["api"],"nbf":1800000000}', b'{"iss":"https://idp.example","aud":"other"}',
    b'{"exp":1700003600,"iat":1700000050,"auth_time":1700000000,"acr":"gold","amr":["otp","pwd"],"tenant":0,"sub":"user-1","jti":"jti-1"}',
    b'{"exp":1700003600,"iat":1600000000,"auth_time":1600000000,"acr":"bronze","amr":"otp","sub":"user-2","tenant":0}',
    b'{"exp":1700003600,"iat":1800000000,"auth_time":1800000000}', b'{"exp":1600000000}', b'{"exp":"x"}', b"[]", b"{}", b'{"exp":1e400}',
    b'{"exp":1700003600,"at_hash":"bJYTDxMKsNbRWDl-JNK8wQ","c_hash":"fFnfaQH-j1pbFRFvpyRJwA"}',
    b'{"iss":"https://idp.example","aud":"client-1","exp":1700003600,"sub":"s","client_id":"c","iat":1700000000,"jti":"j","scp":["read"]}',
    b'{"iss":"https://idp.example","aud":"client-1","exp":1700003600,"sub":"s","client_id":"c","iat":1700000000,"jti":"j",'
    b'"scope":"read w"}',
    b'{"iss":"https:\\/\\/idp.example","aud":["client-\\u0031"],"exp":1700003600,'
    b'"sub":"\\ud83d\\ude00\\u00e9","iat":1700000000,"s":"\\b\\f\\n"}',
    b'{"a":[1,2.5e-3,{"b":[[[]]],"c":"\\"\\\\"},null,true,false,-0],"aud":["x",1],"amr":[null,"otp"],"nested":{"x":[1,300]},"admin":true}',
    b'{"exp":1700003600.5,"nbf":-1.5,"iat":1e3,"x":12345678901234567890,"y":253402300800,"z":0.0000000001}',
    b'{"exp":1700003600,"auth_time":1600000000}', b'{"exp":1700003600,"auth_time":1800000000}',
    b'{"exp":1700003600,"auth_time":1700000000,"acr":"bronze"}',
    b'{"iss":"https://idp.example","aud":"client-1","exp":1700003600,"sub":"s","client_id":"c","iat":1700000000,"jti":"j",'
    b'"scope":"re\\u0061d"}',
    b'{"exp":1700003600,"sub":"user-2","tenant":0}', b'{"exp":1700003600,"nonce":"n-2"}',
    b'{"exp":1700003600,"auth_time":1700000000,"acr":"gold","amr":["otp"]}', b'{"exp":1700003600,"auth_time":1700000000}',
]
# Accepted under the policies for an id_token and for an access token.
IDENTITY = b'{"iss":"https://idp.example","sub":"u","aud":"client-1","exp":1700003600,"iat":1700000000,"acr":"gold","auth_time":1}'
ACCESS = b'{"iss":"https://idp.example","sub":"u","aud":"api","exp":1700003600,"iat":1700000000,"jti":"j","client_id":"c",' \
    b'"x":[true,{"":null}]}'
