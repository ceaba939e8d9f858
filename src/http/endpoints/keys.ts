/** `/api/keys`: API keys, for keys with the scope `keys:manage` (http.md §19). Only the response to its creation contains the key itself. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isWithin } from '../../access/networks.ts';
import { grantedScopes } from '../../access/rights.ts';
import { keyCollectionOf, keyItemOf } from '../../describe/hydra.ts';
import {
  API_PATH,
  ITEMS_PER_PAGE_DEFAULT,
  isProblem,
  type JsonObject,
  KEYS_PATH,
  messages,
  type Problem,
  parseQueryString,
  problem,
  readPageParameter,
  rejectParameters,
  type ShownRecord,
  shortened,
  unknownParameter,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import { type KeyRecord, keyId, keyRecord, keyRecords } from '../../store/key-records.ts';
import {
  createKey,
  digestOf,
  type KnownKey,
  type ListedKey,
  type NewKey,
  revokeUnlessLast,
  type ValidKey,
} from '../../store/keys.ts';
import { readNewKey } from '../../store/new-key.ts';
import { insufficientScope } from '../access/insufficient-scope.ts';
import type { Rendered } from '../cache/response-cache.ts';
import { queryOf } from '../resources/address.ts';
import type { Handle } from '../resources/reads.ts';
import { isLinkedData, readJsonObject } from '../resources/request-body.ts';
import { DATA_TYPES, LD_TYPE } from '../responses/accept.ts';
import { preconditionProblem, recordTag } from '../responses/entity-tags.ts';
import { pageAddresses } from '../responses/headers.ts';
import { applyPreference, renderPage, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    keyPage: {
      readonly page: number;
      readonly itemsPerPage: number;
      /** Order of identifiers; undefined for the default order. */
      readonly direction: 'asc' | 'desc' | undefined;
    };
  }
}

const COLLECTION = `${API_PATH}${KEYS_PATH}`;
const ORDER = 'order[id]';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function registerKeyRoutes(app: FastifyInstance, options: HttpOptions): void {
  app.decorateRequest('keyPage');
  const config = { offers: DATA_TYPES, isForWriters: true } as const;
  const limit = options.jsonBodyBytesMax === 0 ? Number.MAX_SAFE_INTEGER : options.jsonBodyBytesMax;
  app.get(COLLECTION, { config: { ...config, readAddress: readPage } }, handleList(options));
  app.post(
    COLLECTION,
    { bodyLimit: limit, config: { ...config, work: 'write', takesBody: true, readAddress: readCreate } },
    handleCreate(options),
  );
  app.get(`${COLLECTION}/:id`, { config: { ...config, readAddress: readId } }, handleRead(options));
  app.delete(`${COLLECTION}/:id`, { config: { ...config, work: 'write', readAddress: readId } }, handleRemove(options));
}

function handleList({ keys }: HttpOptions): Handle {
  return async (request, reply) => {
    const { page, itemsPerPage, direction } = request.keyPage;
    const records = await keyRecords(request.service, keys);
    if (direction !== undefined) records.sort(({ id: one }, { id: other }) => (one < other ? -1 : 1));
    if (direction === 'desc') records.reverse();
    const shown = records.slice((page - 1) * itemsPerPage, page * itemsPerPage);
    const { language } = request.requestContext;
    const { baseUrl } = request.service.environment;
    const isLinked = request.responseType === LD_TYPE;
    const pages = pageAddresses(request.url, request.keyPage, records.length);
    const body = JSON.stringify(
      isLinked ? keyCollectionOf({ records: shown, total: records.length, addresses: pages }) : shown,
    );
    return sendRendered(
      request,
      reply,
      renderPage(records.length, request.keyPage, request.url, language, baseUrl, body),
    );
  };
}

function handleRead(options: HttpOptions): Handle {
  return async (request, reply) => {
    const record = await findRecord(request, options);
    return isProblem(record) ? sendProblem(reply, record) : sendRendered(request, reply, rendered(request, record));
  };
}

/** `Idempotency-Key` has no effect: a response with a key must not be stored, and names are unique anyway. */
function handleCreate({ keys }: HttpOptions): Handle {
  return async (request, reply) => {
    const { service, requestContext } = request;
    const sent = readJsonObject(request.body as Buffer | undefined);
    const plain = isProblem(sent) ? sent : plainOf(request, sent);
    const read = isProblem(plain) ? plain : readNewKey(plain, service, requestContext.lenient);
    if (isProblem(read) || isProblem(plain)) return sendProblem(reply, read as Problem);
    const made = withinCreator(read, plain, requestContext.key);
    if (isProblem(made)) return sendProblem(reply, made);
    const lacking = requestContext.rights.notGrantable(grantedScopes(made));
    if (lacking.length > 0) return sendProblem(reply, insufficientScope(lacking, 'Granting these'));
    const creator = creatorOf(request);
    const taken = takenIn(keys, made);
    const outcome = taken === undefined ? await createKey(service, { ...made, createdBy: creator.id }) : { taken };
    if ('taken' in outcome) return sendProblem(reply, notUnique(outcome.taken));
    const { key, created } = outcome;
    const listed: ListedKey = {
      ...{ name: made.name, kind: made.kind, created, expires: made.expires },
      ...{ oldExpires: undefined, lastUsed: undefined },
      ...{ scopes: made.scopes ?? [], networks: made.networks ?? [], createdBy: creator.id },
    };
    const record = keyRecord(listed, service, () => creator.name);
    const shown = rendered(request, record);
    const location = `${service.environment.baseUrl}${COLLECTION}/${record.id}`;
    const headers = { ...shown.headers, location, 'cache-control': 'no-store' };
    const { id, name, kind, ...rest } = record;
    return sendRendered(
      request,
      reply,
      { ...shown, headers, body: shownIn(request, { id, name, kind, key, ...rest }) },
      201,
    );
  };
}

/** A key creates no key that other networks may use, or that expires later. Omitted limits are those of the creator. */
function withinCreator(made: NewKey, sent: JsonObject, creator: ValidKey): NewKey | Problem {
  const { networks = [], keyEndsAt = creator.endsAt } = creator;
  const allowed = Object.hasOwn(sent, 'networks') ? made.networks! : networks;
  const expires = made.expires ?? Number.POSITIVE_INFINITY;
  const inherits = !Object.hasOwn(sent, 'expires_at') && Number.isFinite(keyEndsAt);
  const violations = new Violations();
  if (!inherits && expires > keyEndsAt)
    violations.add(
      'expires_at',
      'range',
      'A key cannot create one that expires later than itself. Send an earlier time.',
    );
  const isWider = (networks.length > 0 && allowed.length === 0) || allowed.some((each) => !isWithin(each, networks));
  if (isWider)
    violations.add('networks', 'conflict', 'A key can only create keys for its own networks or parts of them.');
  if (violations.list.length > 0) return validationFailed(violations.list);
  return { ...made, networks: allowed, expires: inherits ? keyEndsAt : made.expires };
}

/** The key of the request, or that of its session. */
function creatorOf({ requestContext: { key } }: FastifyRequest): { readonly id: string; readonly name: string } {
  return { id: keyId(key.isStored ? 'store' : 'environment', key.name), name: key.name };
}

/** Returns the property that a key of the environment has too. */
function takenIn(keys: readonly KnownKey[], { name, key }: NewKey): 'name' | 'key' | undefined {
  if (key !== undefined && keys.some(({ digest }) => digest.equals(digestOf(key)))) return 'key';
  return keys.some((known) => known.name === name) ? 'name' : undefined;
}

function notUnique(property: 'name' | 'key'): Problem {
  const violations = new Violations();
  violations.add(property, 'not_unique', messages.notUnique);
  return validationFailed(violations.list);
}

/** Deletes a key. Every process rejects it from the next request on. */
function handleRemove(options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service, headers } = request;
    const record = await findRecord(request, options);
    if (isProblem(record)) return sendProblem(reply, record);
    const conditions = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
    const failed = preconditionProblem(conditions, rendered(request, record).etag, VERSION);
    if (failed) return sendProblem(reply, failed);
    if (record.source === 'environment')
      return sendProblem(
        reply,
        problem('conflict', `The key “${record.name}” is defined in the server’s settings. Remove it there.`),
      );
    const lacking = request.requestContext.rights.notGrantable(record.scopes);
    if (lacking.length > 0) return sendProblem(reply, insufficientScope(lacking, 'Revoking this key'));
    const now = service.clock.now();
    const mayWrite = ({ kind, expires = Number.POSITIVE_INFINITY }: Pick<ListedKey, 'kind' | 'expires'>): boolean =>
      kind === 'read-write' && expires > now;
    const hasConfigured = options.keys.some(({ kind }) => kind === 'read-write');
    const outcome = await revokeUnlessLast(service, record.name, (left) => !hasConfigured && !left.some(mayWrite));
    if (outcome === 'unknown') return sendProblem(reply, unknownKey());
    if (outcome === 'last')
      return sendProblem(
        reply,
        problem('conflict', `“${record.name}” is the last read/write key; make another one before you delete it.`),
      );
    applyPreference(request, reply);
    return reply.code(204).send();
  };
}

async function findRecord(request: FastifyRequest, { keys }: HttpOptions): Promise<KeyRecord | Problem> {
  const id = (request.params as { id: string }).id.toLowerCase();
  return (await keyRecords(request.service, keys)).find((record) => record.id === id) ?? unknownKey();
}

function unknownKey(): Problem {
  return problem('not-found', 'There is no key with this id. /keys lists all keys.');
}

/** Keys have no version; the digest distinguishes their states. */
const VERSION = 1;

function rendered(request: FastifyRequest, record: KeyRecord): Rendered {
  const body = shownIn(request, record);
  return {
    body,
    etag: recordTag(VERSION, body, false),
    headers: { 'content-language': request.requestContext.language },
  };
}

function shownIn({ responseType }: FastifyRequest, record: ShownRecord): string {
  return JSON.stringify(responseType === LD_TYPE ? keyItemOf(record) : record);
}

/** Ignores members of JSON-LD and those that the generic admin adds. */
function plainOf({ headers, responseType }: FastifyRequest, sent: JsonObject): JsonObject {
  if (!isLinkedData(headers['content-type'], responseType)) return sent;
  const { '@context': _, '@id': __, '@type': ___, originId: ____, ...plain } = sent;
  return plain;
}

function readId(request: FastifyRequest): Problem | undefined {
  if (!UUID.test((request.params as { id: string }).id))
    return problem('not-found', 'Invalid identifier value or configuration.');
  return rejectParameters(queryOf(request), request.requestContext.lenient);
}

function readCreate(request: FastifyRequest): Problem | undefined {
  const { headers, requestContext } = request;
  const sent = ['If-Match', 'If-None-Match'].find((name) => headers[name.toLowerCase()] !== undefined);
  if (sent !== undefined)
    return problem('invalid-argument', `${sent} has no meaning when a record is created; leave it out.`);
  return rejectParameters(queryOf(request), requestContext.lenient);
}

function readPage(request: FastifyRequest): Problem | undefined {
  const parameters = parseQueryString(queryOf(request));
  if (isProblem(parameters)) return parameters;
  const { lenient } = request.requestContext;
  const page: { page: number; itemsPerPage: number; direction: FastifyRequest['keyPage']['direction'] } = {
    ...{ page: 1, itemsPerPage: ITEMS_PER_PAGE_DEFAULT, direction: undefined },
  };
  const seen = new Set<string>();
  for (const { written, value } of parameters) {
    const error = seen.has(written) && !lenient ? repeated(written) : readPart(page, written, value, lenient);
    // The order and unknown names do not change which keys are listed.
    if (error !== undefined && !lenient) return problem('invalid-argument', error);
    seen.add(written);
  }
  request.keyPage = page;
  return undefined;
}

function repeated(name: string): string {
  return `The parameter "${shortened(name)}" is given more than once. Send it once.`;
}

/** Reads one parameter into `page`. @returns an error message */
function readPart(
  page: { page: number; itemsPerPage: number; direction: FastifyRequest['keyPage']['direction'] },
  written: string,
  value: string,
  lenient: boolean,
): string | undefined {
  if (written === ORDER) {
    const direction = value.toLowerCase() || 'asc';
    if (direction !== 'asc' && direction !== 'desc')
      return `"${written}" should be asc or desc; it is "${shortened(value)}".`;
    page.direction = direction;
    return undefined;
  }
  if (written !== 'page' && written !== 'itemsPerPage')
    return unknownParameter(written, withoutSynonyms(['page', 'itemsPerPage', ORDER]));
  const number = readPageParameter(written, value, lenient);
  if (typeof number === 'string') return number;
  page[written] = number;
  return undefined;
}
