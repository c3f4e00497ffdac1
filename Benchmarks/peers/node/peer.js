// node PROGRAM FOLDER ALGORITHM SECONDS: prints one line of JSON. ../README.md describes the folder and the output.
'use strict';

const { createPublicKey, createSecretKey } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const TOKENS_PER_LOOK_AT_THE_CLOCK = 100;

const read = (...path) => readFileSync(join(...path), 'utf8');
const lines = (...path) => read(...path).trimEnd().split('\n');
const processor = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const seconds = process.env.PEERS_CLOCK === 'processor' ? processor : () => Number(process.hrtime.bigint()) / 1e9;

function setting(folder, algorithm) {
    const key = algorithm === 'HS256'
        ? createSecretKey(Buffer.from(read(folder, algorithm, 'secret')))
        : createPublicKey(read(folder, algorithm, 'key.pem'));
    return { algorithm, key, issuer: lines(folder, 'issuer')[0], audience: lines(folder, 'audience')[0] };
}

async function anyAccepted(accepts, tokens) {
    for (const token of tokens) if (await accepts(token)) return true;
    return false;
}

async function verifyNext(accepts, tokens, done, howMany) {
    for (let i = done; i < done + howMany; i++) {
        const verdict = accepts(tokens[i % tokens.length]);
        // Awaiting a value that is not a promise would cost a pass of the event loop, which a synchronous library does not need.
        if (!(typeof verdict === 'boolean' ? verdict : await verdict)) throw new Error('refuses a good token');
    }
    return done + howMany;
}

async function tokensPerSecond(accepts, tokens, duration) {
    // The first two passes are not timed: they warm up the compiler and check each token.
    await verifyNext(accepts, tokens, 0, 2 * tokens.length);
    const start = seconds();
    let done = 0;
    while (seconds() - start < duration) done = await verifyNext(accepts, tokens, done, TOKENS_PER_LOOK_AT_THE_CLOCK);
    return done / (seconds() - start);
}

async function judgeAndTime(makeVerifier) {
    const [folder, algorithm, duration] = process.argv.slice(2);
    const accepts = makeVerifier(setting(folder, algorithm));
    const result = {};
    for (const name of ['tampered', 'expired', 'other-issuer', 'other-audience']) {
        result[name] = await anyAccepted(accepts, lines(folder, algorithm, name)) ? 'accepted' : 'refused';
    }
    if (result.tampered === 'refused') {
        result.tokens_per_second = await tokensPerSecond(accepts, lines(folder, algorithm, 'tokens'), Number(duration));
    }
    console.log(JSON.stringify(result));
}

/** Runs a peer. makeVerifier takes a setting and returns a function from a token to a boolean or a promise of a boolean. */
exports.run = (makeVerifier) => judgeAndTime(makeVerifier).catch((error) => {
    console.error(error.message);
    process.exit(1);
});
