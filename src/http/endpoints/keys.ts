/** `/api/keys`: API keys, for keys with the scope `keys:manage` (http.md §19). Only the response to its creation contains the key itself, unless it is publishable. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isWithin } from '../../access/networks.ts';
import { type Grant, grantedScopes, rightsOf, SHOWN_BY_PUBLISHABLE } from '../../access/rights.ts';
import { keyCollectionOf, keyItemOf } from '../../describe/hydra.ts';
import {
  API_PATH,
  isProblem,
  type JsonObject,
  KEYS_PATH,
  messages,
  type Problem,
  problem,
  rejectParameters,
  type ShownRecord,
  Violations,
  validationFailed,
} from '../../engine/index.ts';
import { type CreatorRecord, identityOf, type KeyRecord, keyRecord, keyRecords } from '../../store/key-records.ts';
import {
  type CreatedKey,
  createKey,
  digestOf,
  type KnownKey,
  type ListedKey,
  type NewKey,
  revokeUnlessLast,
  userCreator,
  type ValidKey,
} from '../../store/keys.ts';
import { readNewKey } from '../../store/new-key.ts';
import { ungrantable } from '../access/insufficient-scope.ts';
import type { Rendered } from '../cache/response-cache.ts';
import { queryOf } from '../resources/address.ts';
import type { Handle } from '../resources/reads.ts';
import { isLinkedData, readJsonObject } from '../resources/request-body.ts';
import { DATA_TYPES, LD_TYPE } from '../responses/accept.ts';
import { preconditionProblem, recordTag } from '../responses/entity-tags.ts';
import { applyPreference, sendProblem, sendRendered } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import { readRecordPage, sendRecordPage } from './record-pages.ts';

const COLLECTION = `${API_PATH}${KEYS_PATH}`;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function registerKeyRoutes(app: FastifyInstance, options: HttpOptions): void {
  const config = { offers: DATA_TYPES, isForWriters: true } as const;
  const limit = options.jsonBodyBytesMax === 0 ? Number.MAX_SAFE_INTEGER : options.jsonBodyBytesMax;
  app.get(COLLECTION, { config: { ...config, readAddress: readRecordPage } }, handleList(options));
  app.post(
    COLLECTION,
    { bodyLimit: limit, config: { ...config, work: 'write', takesBody: true, readAddress: readCreate } },
    handleCreate(options),
  );
  app.get(`${COLLECTION}/:id`, { config: { ...config, readAddress: readId } }, handleRead(options));
  app.delete(`${COLLECTION}/:id`, { config: { ...config, work: 'write', readAddress: readId } }, handleRemove(options));
}

function handleList({ keys }: HttpOptions): Handle {
  return async (request, reply) =>
    sendRecordPage(request, reply, await keyRecords(request.service, keys), keyCollectionOf);
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
    const lacking = notGrantable(request, made.kind === 'publishable' ? SHOWN_BY_PUBLISHABLE : made);
    if (lacking.length > 0) return sendProblem(reply, ungrantable(lacking, 'Creating a key with these rights'));
    const creator = creatorOf(request);
    const taken = takenIn(keys, made);
    const outcome =
      taken === undefined
        ? await createKey(service, { ...made, createdBy: creator.stored }, actorOf(request))
        : { taken };
    if ('taken' in outcome) return sendProblem(reply, notUnique(outcome.taken));
    const { key } = outcome;
    const listed = listedKey({ ...made, createdBy: creator.stored }, outcome);
    const record = keyRecord(listed, service, () => creator.shown);
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

/** A new key as the list of keys has it. */
function listedKey(made: NewKey, { id, key, created }: Exclude<CreatedKey, { readonly taken: unknown }>): ListedKey {
  const { name, kind, expires, createdBy } = made;
  return {
    ...{ id, name, kind, created, expires, createdBy, oldExpires: undefined, lastUsed: undefined },
    ...{ scopes: made.scopes ?? [], masks: made.masks ?? [], networks: made.networks ?? [] },
    ...{ origins: made.origins ?? [], publicKey: kind === 'publishable' ? key : undefined },
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
      'A new key cannot expire later than the key that creates it. Send an earlier time.',
    );
  const isWider = (networks.length > 0 && allowed.length === 0) || allowed.some((each) => !isWithin(each, networks));
  if (isWider)
    violations.add('networks', 'conflict', 'A key can only create keys for its own networks or parts of them.');
  if (violations.list.length > 0) return validationFailed(violations.list);
  return { ...made, networks: allowed, expires: inherits ? keyEndsAt : made.expires };
}

/** What the key of the request lacks to grant these rights: scopes, and fields that it cannot see. */
function notGrantable(
  { requestContext: { rights }, service }: FastifyRequest,
  { kind, scopes = [], masks = [] }: Grant,
): readonly string[] {
  const others = rightsOf(service.model, { kind, scopes, masks });
  return [...rights.notGrantable(grantedScopes({ kind, scopes })), ...rights.droppedMasks(others)];
}

/** The key of the request or of its session, or the user. */
function creatorOf({ requestContext: { key } }: FastifyRequest): {
  readonly stored: string;
  readonly shown: CreatorRecord;
} {
  const { created: _, ...shown } = identityOf(key);
  return { stored: shown.type === 'user' ? userCreator(shown.id) : shown.id, shown };
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
    const lacking = notGrantable(request, record);
    if (lacking.length > 0) return sendProblem(reply, ungrantable(lacking, 'Revoking this key'));
    const now = service.clock.now();
    const mayWrite = ({ kind, expires = Number.POSITIVE_INFINITY }: Pick<ListedKey, 'kind' | 'expires'>): boolean =>
      kind === 'read-write' && expires > now;
    const hasConfigured = options.keys.some(({ kind }) => kind === 'read-write');
    const outcome = await revokeUnlessLast(
      service,
      record.name,
      (left) => !hasConfigured && !left.some(mayWrite),
      actorOf(request),
    );
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
