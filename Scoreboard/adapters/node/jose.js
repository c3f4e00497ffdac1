// jose for JavaScript: createLocalJWKSet, an allow-list, issuer, audience, clockTolerance, typ, maxTokenAge.
'use strict';

const { compactVerify, createLocalJWKSet, jwtVerify } = require('jose');
const { createInterface } = require('node:readline');

const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'ES256K', 'EdDSA'];
const OFFERED = ['HS256', 'HS384', 'HS512', ...ASYMMETRIC];
const LACKS = ['Ed25519', 'Ed448', 'nonce', 'access_token', 'code', 'max_age', 'acr', 'amr', 'azp', 'revoked_jti', 'required', 'required-exp', 'b64',
    'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];

function options({ policy, now }, algorithms) {
    const chosen = {
        algorithms, currentDate: new Date(now * 1000), clockTolerance: policy.leeway ?? 60,
        issuer: policy.issuer, audience: policy.audience, maxTokenAge: policy.maximum_age,
    };
    if (policy.preset === 'access_token') chosen.typ = 'at+jwt';
    if (policy.types?.length === 1) chosen.typ = policy.types[0];
    return chosen;
}

// createLocalJWKSet looks for public keys. A secret is handed over as a key.
function keysOf(keys) {
    const secret = keys.keys.find((key) => key?.kty === 'oct' && typeof key.k === 'string');
    return secret ? Buffer.from(secret.k, 'base64url') : createLocalJWKSet(keys);
}

async function verdict(question) {
    const { token, keys, policy } = question;
    if (keys === null) return ['invalid', 'no keys'];
    const algorithms = (policy.algorithms ?? ASYMMETRIC).filter((name) => OFFERED.includes(name));
    const secrets = keys.keys.filter((key) => key?.kty === 'oct');
    if (algorithms.length === 0) return ['unsupported', 'none of the allowed algorithms is offered'];
    if (secrets.length > 1 || (secrets.length === 1 && keys.keys.length > 1 && algorithms.some((name) => name.startsWith('HS')))) {
        return ['unsupported', 'takes one secret, and no secret in a set'];
    }
    try {
        const verify = policy.claims === false
            ? (key) => compactVerify(token, key, { algorithms }) : (key) => jwtVerify(token, key, options(question, algorithms));
        await verify(algorithms.some((name) => name.startsWith('HS')) ? keysOf(keys) : createLocalJWKSet(keys));
        return ['valid', ''];
    } catch (error) {
        return ['invalid', `${error.code ?? error.name}: ${error.message}`];
    }
}

async function serve() {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
        const question = JSON.parse(line);
        const [said, reason] = await verdict(question);
        const lacks = question.policy.types?.length > 1 || question.policy.preset === 'id_token' ? [...LACKS, 'types'] : LACKS;
        process.stdout.write(`${JSON.stringify({ id: question.id, verdict: said, lacks, reason })}\n`);
    }
}

serve();
