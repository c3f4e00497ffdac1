// Node's own crypto with JSON.parse, written by hand, as in a program without a JWT library.
'use strict';

const { createHmac, timingSafeEqual, verify } = require('node:crypto');
const { run } = require('./peer.js');

function signatureCheck({ algorithm, key }) {
    switch (algorithm) {
        case 'HS256': return (data, signature) => {
            const code = createHmac('sha256', key).update(data).digest();
            return code.length === signature.length && timingSafeEqual(code, signature);
        };
        case 'EdDSA': return (data, signature) => verify(null, data, key, signature);
        case 'ES256': return (data, signature) => verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
        default: return (data, signature) => verify('sha256', data, key, signature);
    }
}

run((common) => {
    const isSigned = signatureCheck(common);
    const parse = (text) => JSON.parse(Buffer.from(text, 'base64url').toString());
    return (token) => {
        const parts = token.split('.');
        if (parts.length !== 3 || parse(parts[0]).alg !== common.algorithm) return false;
        const data = Buffer.from(token.slice(0, token.lastIndexOf('.')));
        if (!isSigned(data, Buffer.from(parts[2], 'base64url'))) return false;
        const claims = parse(parts[1]);
        const now = Date.now() / 1000;
        return now < claims.exp && !(claims.nbf > now) && claims.iss === common.issuer && [claims.aud].flat().includes(common.audience);
    };
});
