// jose for JavaScript: createLocalJWKSet, an allow-list, issuer, audience, clockTolerance, typ, maxTokenAge.
'use strict';

const { compactDecrypt, compactVerify, createLocalJWKSet, importJWK, jwtVerify } = require('jose');
const { createInterface } = require('node:readline');
const { inflateRawSync } = require('node:zlib');

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

// The private keys that a careful caller would try: of the token's kid, for its algorithms.
function recipients({ encrypted, decryption_keys: { keys } }) {
    const header = JSON.parse(Buffer.from(encrypted.split('.')[0], 'base64url'));
    return keys.filter((key) => {
        if (header.kid !== undefined && key.kid !== undefined && header.kid !== key.kid) return false;
        if (header.alg === 'dir') return key.kty === 'oct' && key.alg === header.enc;
        if (key.alg !== undefined && key.alg !== header.alg) return false;
        if (header.alg?.startsWith('RSA')) return key.kty === 'RSA';
        return ['EC', 'OKP'].includes(key.kty) && (header.epk?.crv ?? key.crv) === key.crv;
    }).map((key) => [key, header]);
}

async function decrypted(question) {
    const { encrypted, policy } = question;
    const options = { keyManagementAlgorithms: policy.key_management, contentEncryptionAlgorithms: policy.encryptions };
    // Without a function that inflates, and with one that takes no bound, the library leaves the bound to its caller.
    if (policy.inflated_bytes !== undefined) {
        options.inflateRaw = async (data) => inflateRawSync(data, { maxOutputLength: policy.inflated_bytes });
    } else {
        options.inflateRaw = async () => { throw new Error('takes no compressed content'); };
    }
    let refusal = new Error('no key fits the token');
    for (const [key, header] of recipients(question)) {
        try {
            const { plaintext } = await compactDecrypt(encrypted, await importJWK({ ...key, alg: undefined }, header.alg), options);
            return Buffer.from(plaintext).toString('utf8');
        } catch (error) {
            refusal = error;
        }
    }
    throw refusal;
}

// The answer about an encrypted token, with the token in it judged.
async function answerOf(question) {
    if (question.kind !== 'encrypted') return { verdict: 'unsupported' };
    try {
        const content = await decrypted(question);
        if (question.policy.nested !== false) {
            const [said, reason] = await verdict({ ...question, token: content });
            if (said !== 'valid') return { verdict: 'invalid', reason: `the token inside: ${reason}` };
        }
        return content.length <= 65536 ? { verdict: 'valid', content } : { verdict: 'valid' };
    } catch (error) {
        return { verdict: 'invalid', reason: `${error.code ?? error.name}: ${error.message}` };
    }
}

async function serve() {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
        const question = JSON.parse(line);
        if (question.kind) {
            process.stdout.write(`${JSON.stringify({ id: question.id, lacks: [...LACKS, 'keys', 'cty'], ...await answerOf(question) })}\n`);
            continue;
        }
        const [said, reason] = await verdict(question);
        const lacks = question.policy.types?.length > 1 || question.policy.preset === 'id_token' ? [...LACKS, 'types'] : LACKS;
        process.stdout.write(`${JSON.stringify({ id: question.id, verdict: said, lacks, reason })}\n`);
    }
}

serve();
