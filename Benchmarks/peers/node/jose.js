// jose 4 for JavaScript: asynchronous; the library checks exp, nbf, iss and aud.
'use strict';

const { jwtVerify } = require('jose');
const { run } = require('./peer.js');

run(({ algorithm, key, issuer, audience }) => {
    const options = { algorithms: [algorithm], issuer, audience, requiredClaims: ['exp'] };
    return async (token) => {
        try {
            await jwtVerify(token, key, options);
            return true;
        } catch {
            return false;
        }
    };
});
