/**
 * A client of the store for TypeScript and JavaScript: fetch, with the types of the declarations, pages as one sequence,
 * ETags and retries. It needs nothing but the web's own globals, so it runs in Node, Deno and browsers. It checks no values:
 * types help where the program is written, and the store judges what is sent.
 */
import { addressOf } from './address.js';
import { CursorGone, follow } from './follow.js';
import { bulkAddress, isRepeatable, LINES_TYPE, partsOf, resultsIn, valuesIn } from './lines.js';
import { StoreProblem } from './problem.js';
import { retryAfterSeconds, sendPatiently, USUAL_PATIENCE } from './retries.js';
export { CursorGone } from './follow.js';
export { StoreProblem } from './problem.js';
/** @throws {TypeError} when `baseUrl` is no address */
export function createClient({ baseUrl, key, language, ...given }) {
    const root = `${new URL(baseUrl).href.replace(/\/+$/, '')}/api`;
    const patience = { ...USUAL_PATIENCE, ...given };
    function headersOf(spoken, headers) {
        const sent = new Headers({ Accept: 'application/json', 'X-Auth-Token': key, ...headers });
        if (spoken !== undefined)
            sent.set('Accept-Language', spoken);
        return sent;
    }
    async function send(method, path, { body, headers, signal, ...rest }, own = {}) {
        const sent = headersOf(rest.language ?? language, headers);
        if (body !== undefined)
            sent.set('Content-Type', method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
        const request = { ...REFUSING, method, headers: sent };
        if (body !== undefined)
            request.body = JSON.stringify(body);
        // A merge patch sets values, so that it is repeatable as PUT is (RFC 7396).
        const isRepeatable = method !== 'POST' || sent.has('Idempotency-Key');
        const attempt = async (limit) => {
            const response = await fetch(`${root}${path}`, { ...request, signal: limit });
            return { status: response.status, headers: response.headers, text: await response.text() };
        };
        return sendPatiently(attempt, { isRepeatable, signal }, { ...patience, ...own });
    }
    async function readFeed(path, after, options) {
        try {
            // A follower outlives a store that is away for however long.
            const reply = await send('GET', path, { ...options, headers: {} }, { retriesMax: Number.POSITIVE_INFINITY });
            const { data } = answerOf(reply, 'GET', '/changes');
            return { entries: data, cursor: reply.headers.get('changes-cursor') ?? after };
        }
        catch (error) {
            if (error instanceof StoreProblem && error.type === 'cursor-gone')
                throw new CursorGone(after, error);
            throw error;
        }
    }
    async function change(method, path, rest, hasBody) {
        const { parameters, body, options } = argumentsOf(path, rest, hasBody);
        const headers = {};
        if (options.ifMatch !== undefined)
            headers['If-Match'] = tagOf(options.ifMatch);
        if (method === 'POST' && options.idempotencyKey !== false)
            headers['Idempotency-Key'] = options.idempotencyKey ?? randomKey();
        const reply = await send(method, addressOf(path, parameters), { ...options, body, headers });
        // Somebody deleted it, and perhaps it was the attempt that was not answered: either way it is done.
        const isGone = method === 'DELETE' && reply.status === 404 && reply.wasPerhapsDone;
        return isGone ? answerOf({ ...reply, status: 204, text: '' }, method, path) : answerOf(reply, method, path);
    }
    async function read(path, parameters, options) {
        const headers = {};
        if (options.ifNoneMatch !== undefined)
            headers['If-None-Match'] = tagOf(options.ifNoneMatch);
        const reply = await send('GET', addressOf(path, parameters, options), { ...options, headers });
        const isKnown = reply.status === 304 && options.ifNoneMatch !== undefined;
        return { reply, answer: isKnown ? options.ifNoneMatch : answerOf(reply, 'GET', path), isKnown };
    }
    async function page(path, parameters, options) {
        const { page: number = 1, itemsPerPage = ITEMS_PER_PAGE_MAX } = options;
        const { reply, answer, isKnown } = await read(path, parameters, { ...options, page: number, itemsPerPage });
        if (isKnown)
            return answer;
        const total = Number(reply.headers.get('x-total-count') ?? Number.NaN);
        // Counted instead of read off Link, which the store leaves out when the query is very long.
        const hasNext = number * Math.min(itemsPerPage, ITEMS_PER_PAGE_MAX) < total;
        return { ...answer, total, hasNext };
    }
    async function* list(path, parameters, options) {
        for (let number = 1, hasNext = true; hasNext; number += 1) {
            const one = await page(path, parameters, { ...options, page: number });
            yield* one.data;
            hasNext = one.hasNext && one.data.length > 0;
        }
    }
    async function* bulk(path, lines, options) {
        const address = bulkAddress(path, options);
        const headers = headersOf(options.language ?? language, { Accept: LINES_TYPE, 'Content-Type': LINES_TYPE });
        if (options.atomic && !options.dryRun)
            headers.set('Idempotency-Key', randomKey());
        let before = 0;
        for await (const { text: body, count } of partsOf(lines, options.atomic === true)) {
            const attempt = async (limit) => {
                const response = await fetch(`${root}${address}`, {
                    ...REFUSING,
                    method: 'POST',
                    headers,
                    body,
                    signal: limit,
                });
                const text = await response.text();
                if (response.status === 200 && !resultsIn(text))
                    throw new Error('The answer to a bulk was cut off.');
                return { status: response.status, headers: response.headers, text };
            };
            const mayRepeat = isRepeatable(path, options) || headers.has('Idempotency-Key');
            const reply = await sendPatiently(attempt, { isRepeatable: mayRepeat, signal: options.signal }, patience);
            if (reply.status !== 200)
                answerOf(reply, 'POST', path);
            for (const result of resultsIn(reply.text))
                yield { ...result, line: result.line + before };
            before += count;
        }
    }
    async function* exported(path, parameters, options) {
        const headers = headersOf(options.language ?? language, { Accept: LINES_TYPE });
        let response;
        // The records are read after the attempt, for as long as it takes.
        const signal = options.signal ?? null;
        const attempt = async () => {
            response = await fetch(`${root}${addressOf(path, parameters, options)}`, { ...REFUSING, headers, signal });
            return { status: response.status, headers: response.headers, text: response.ok ? '' : await response.text() };
        };
        const reply = await sendPatiently(attempt, { isRepeatable: true, signal: options.signal }, patience);
        if (reply.status !== 200)
            answerOf(reply, 'GET', path);
        yield* valuesIn(response.body, Number(reply.headers.get('x-total-count')));
    }
    return {
        bulk: (path, lines, options = {}) => ({ [Symbol.asyncIterator]: () => bulk(path, lines, options) }),
        export(path, ...rest) {
            const { parameters, options } = argumentsOf(path, rest, false);
            return { [Symbol.asyncIterator]: () => exported(path, parameters, options) };
        },
        async get(path, ...rest) {
            const { parameters, options } = argumentsOf(path, rest, false);
            return (await read(path, parameters, options)).answer;
        },
        list(path, ...rest) {
            const { parameters, options } = argumentsOf(path, rest, false);
            return { [Symbol.asyncIterator]: () => list(path, parameters, options) };
        },
        page(path, ...rest) {
            const { parameters, options } = argumentsOf(path, rest, false);
            return page(path, parameters, options);
        },
        post: (path, ...rest) => change('POST', path, rest, true),
        put: (path, ...rest) => change('PUT', path, rest, true),
        patch: (path, ...rest) => change('PATCH', path, rest, true),
        delete: (path, ...rest) => change('DELETE', path, rest, false),
        follow(options = {}) {
            const ask = (path, after) => readFeed(path, after, options);
            return { [Symbol.asyncIterator]: () => follow(ask, options, patience.attemptSecondsMax) };
        },
    };
}
const ITEMS_PER_PAGE_MAX = 100;
/** The key goes nowhere else. */
const REFUSING = { redirect: 'manual' };
function argumentsOf(path, rest, hasBody) {
    const left = [...rest];
    const parameters = (path.includes('{') ? left.shift() : undefined) ?? {};
    const body = hasBody ? left.shift() : undefined;
    return { parameters: parameters, body, options: (left.shift() ?? {}) };
}
function answerOf(reply, method, path) {
    const { status, headers } = reply;
    const etag = headers.get('etag') ?? undefined;
    const body = parsed(reply.text);
    // Only of a deletion is there nothing to tell; a page of a proxy is no answer of a store, whatever its status.
    if (status < 200 || status > 299 || (body === undefined && status !== 204))
        throw new StoreProblem({
            method,
            path,
            status,
            body: body,
            ...explained(status),
            etag,
            retryAfterSeconds: retryAfterSeconds(headers),
            wasPerhapsDone: reply.wasPerhapsDone,
        });
    const version = /^"(\d+)-/.exec(etag ?? '')?.[1];
    return {
        data: body,
        status,
        etag,
        version: version === undefined ? undefined : Number(version),
        language: headers.get('content-language') ?? undefined,
        location: headers.get('location') ?? undefined,
        isReplayed: headers.get('idempotency-replayed') === 'true',
    };
}
function explained(status) {
    // A browser tells of a redirect no more than status 0.
    if (status === 0 || (status >= 300 && status <= 399))
        return { explanation: 'The address redirects elsewhere, where the key is not sent: is baseUrl the store’s own?' };
    return status <= 299 ? { explanation: 'The answer is not JSON: is baseUrl the address of a store?' } : {};
}
function parsed(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
function tagOf(given) {
    const tag = typeof given === 'string' ? given : given.etag;
    // Sent as nothing, the change would be made whatever happened meanwhile.
    if (!tag)
        throw new TypeError('There is no ETag in what was given to compare with.');
    return tag;
}
/** Not `randomUUID`, which browsers have on secure pages only. */
function randomKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
