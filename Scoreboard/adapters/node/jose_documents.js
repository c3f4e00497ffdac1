// jose for JavaScript: flattenedVerify and generalVerify with createLocalJWKSet and an allow-list. One signature that holds is enough.
'use strict';

const { createLocalJWKSet, flattenedVerify, generalVerify } = require('jose');
const { createInterface } = require('node:readline');

const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'ES256K', 'EdDSA'];
const OFFERED = ['HS256', 'HS384', 'HS512', ...ASYMMETRIC];
const LACKS = ['Ed25519', 'Ed448', 'json', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];

// createLocalJWKSet looks for public keys. A secret is handed over as a key.
function keysOf(keys) {
    const secret = keys.keys.find((key) => key?.kty === 'oct' && typeof key.k === 'string');
    return secret ? Buffer.from(secret.k, 'base64url') : createLocalJWKSet(keys);
}

// The rule of the policy that the library does not have.
function absentRule({ policy }, document) {
    if (policy.signers) return 'signers';
    if (policy.types) return 'types';
    return policy.requirement === 'all' && document?.signatures?.length > 1 ? 'all' : null;
}

async function verdict(question) {
    const { keys, policy } = question;
    if (keys === null) return { verdict: 'invalid', reason: 'no keys' };
    const algorithms = (policy.algorithms ?? ASYMMETRIC).filter((name) => OFFERED.includes(name));
    if (keys.keys.length > 1 && keys.keys.some((key) => key.kty === 'oct')) {
        return { verdict: 'unsupported', reason: 'takes no secret in a set' };
    }
    try {
        const document = JSON.parse(question.document);
        const lacking = absentRule(question, document);
        if (lacking) return { verdict: 'unsupported', reason: `has no rule for ${lacking}` };
        // The library takes a detached payload as the member of the document.
        if (question.detached !== undefined && document.payload === undefined) {
            document.payload = isEncoded(document) ? question.detached : Buffer.from(question.detached, 'base64url');
        }
        const verify = document.signatures === undefined ? flattenedVerify : generalVerify;
        const { payload } = await verify(document, keysOf(keys), { algorithms });
        return { verdict: 'valid', payload: Buffer.from(payload).toString('base64url') };
    } catch (error) {
        return { verdict: 'invalid', reason: `${error.code ?? error.name}: ${error.message}` };
    }
}

function isEncoded(document) {
    const { protected: header } = document.signatures?.[0] ?? document;
    return !header || JSON.parse(Buffer.from(header, 'base64url').toString()).b64 !== false;
}

async function serve() {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
        const question = JSON.parse(line);
        process.stdout.write(`${JSON.stringify({ id: question.id, lacks: LACKS, ...await verdict(question) })}\n`);
    }
}

serve();
