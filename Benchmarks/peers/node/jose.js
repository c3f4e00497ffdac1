// jose 4 for JavaScript: asynchronous; exp, nbf, iss and aud are the library's.
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
