/** Export and erasure of personal data (profiles.md §4). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redacted } from '../../access/redaction.ts';
import { AUDIT_PATH } from '../../access/scopes.ts';
import {
  API_PATH,
  committed,
  dataSubjectsOf,
  type Forgotten,
  formatTimestamp,
  heldRootsOfDataSubject,
  isProblem,
  type KnownRecord,
  known,
  type ModelResource,
  PRIVACY_PATH,
  type Problem,
  type Roots,
  read,
  readNamedDataSubject,
  rejectParameters,
  rejectUnknownField,
  rootsByName,
  rootsOfDataSubject,
  snakeCase,
  type Unit,
  type Value,
  type Versioned,
  Violations,
  validationFailed,
} from '../../engine/index.ts';
import { recordPrivacyExport } from '../../store/audit/recorded-exports.ts';
import { eraseDataSubject } from '../../store/erase-data-subject.ts';
import { exportShopperSessions } from '../../store/shoppers/sessions.ts';
import { addressReader, queryOf, rejectConditions, requestOptionsOf, targetOf } from '../resources/address.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { sendEncoded } from '../responses/encodings.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import { auditRecordsAbout } from './audit.ts';

export function registerPrivacyRoutes(app: FastifyInstance, options: HttpOptions): void {
  const dataSubject = dataSubjectsOf(options.service.model);
  if (!dataSubject) return;
  const [route] = dataSubject.routes;
  const bodyLimit = options.jsonBodyBytesMax === 0 ? Number.MAX_SAFE_INTEGER : options.jsonBodyBytesMax;
  const own = `/api${route!.path.replace(/\{(\w+)\}/g, ':$1')}`;
  const readOwn = addressReader(route!, 'more');
  const write = { offers: [JSON_TYPE], work: 'write', takesBody: true } as const;
  const refusing =
    (readAddress: (request: FastifyRequest) => Problem | undefined) =>
    (request: FastifyRequest): Problem | undefined =>
      readAddress(request) ?? rejectConditions(request, route!);
  const readNothing = refusing((request) => rejectParameters(queryOf(request), request.requestContext.lenient));
  app.get(
    `${own}/export`,
    { config: { offers: [JSON_TYPE], work: 'list', readAddress: (request) => readOwn(request) } },
    exportOne(dataSubject, options),
  );
  app.post(
    `${own}/erase`,
    { bodyLimit, config: { ...write, needsNoBody: true, readAddress: refusing(readOwn) } },
    eraseOne(dataSubject, options),
  );
  const byName = { bodyLimit, config: { ...write, readAddress: readNothing } };
  const exportByName = { ...byName, config: { ...byName.config, onlyReads: true } };
  app.post(`/api${PRIVACY_PATH}/export`, exportByName, exportNamed(options));
  app.post(`/api${PRIVACY_PATH}/erase`, byName, eraseNamed(options));
}

function exportOne(dataSubject: ModelResource, options: HttpOptions): Handle {
  return async (request, reply) => {
    const found = await findOwn(dataSubject, request, options);
    if (isProblem(found)) return sendProblem(reply, found);
    const id = request.address.id!;
    return sendKnown(
      request,
      reply,
      options,
      (reads) => rootsOfDataSubject(reads, dataSubject, id),
      await sessionsOf(request, options, dataSubject, id),
    );
  };
}

/** Sessions have no path of their own. */
async function sessionsOf(
  request: FastifyRequest,
  options: HttpOptions,
  dataSubject: ModelResource,
  id: Value,
): Promise<KnownRecord[]> {
  if (request.requestContext.rights.hidden?.canRead(dataSubject) === false) return [];
  const reads = committed(request.service, requestOptionsOf(request, options));
  const path = request.url.split('?', 1)[0]!.slice(0, -'/export'.length);
  return (await exportShopperSessions(reads, id)).map((record) => ({ resource: 'shopper_session', path, record }));
}

function exportNamed(options: HttpOptions): Handle {
  return async (request, reply) => {
    const name = readName(request, options);
    if (isProblem(name)) return sendProblem(reply, name);
    return sendKnown(request, reply, options, (reads) => rootsByName(reads, name));
  };
}

/** `Idempotency-Key` has no effect: the response must not be stored, and erasing twice is harmless. */
function eraseOne(dataSubject: ModelResource, options: HttpOptions): Handle {
  return async (request, reply) => {
    const body = readEmpty(request);
    const found = isProblem(body) ? body : await findOwn(dataSubject, request, options);
    if (isProblem(found)) return sendProblem(reply, found);
    const forgotten = await erased(request, options, (unit) =>
      heldRootsOfDataSubject(unit, dataSubject, request.address.id!),
    );
    // Another request has erased the person meanwhile.
    const gone = forgotten.erased.length === 0 && (await findOwn(dataSubject, request, options));
    return gone && isProblem(gone) ? sendProblem(reply, gone) : sendErased(request, reply, forgotten);
  };
}

function eraseNamed(options: HttpOptions): Handle {
  return async (request, reply) => {
    const name = readName(request, options);
    if (isProblem(name)) return sendProblem(reply, name);
    return sendErased(request, reply, await erased(request, options, (unit) => rootsByName(unit, name)));
  };
}

function findOwn(
  dataSubject: ModelResource,
  request: FastifyRequest,
  options: HttpOptions,
): Promise<Versioned | Problem> {
  return read(request.service, requestOptionsOf(request, options), targetOf(request, dataSubject.routes[0]!));
}

function readEmpty({ body, requestContext }: FastifyRequest): Problem | undefined {
  const sent = readJsonObject(body as Buffer | undefined);
  if (isProblem(sent)) return sent;
  if (requestContext.lenient) return undefined;
  const violations = new Violations();
  for (const name of Object.keys(sent)) rejectUnknownField('', name, [], violations);
  return violations.list.length === 0 ? undefined : validationFailed(violations.list);
}

function readName(request: FastifyRequest, options: HttpOptions): string | Problem {
  const sent = readJsonObject(request.body as Buffer | undefined);
  return isProblem(sent) ? sent : readNamedDataSubject(request.service, requestOptionsOf(request, options), sent);
}

async function sendKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  rootsOf: (reads: Parameters<typeof rootsByName>[0]) => Promise<Roots>,
  others: readonly KnownRecord[] = [],
): Promise<FastifyReply> {
  const { records, paths } = await known(request.service, requestOptionsOf(request, options), rootsOf);
  const entries = (await auditRecordsAbout(request, options, paths)).map((record) => ({
    ...{ resource: 'audit_entry', path: `${API_PATH}${AUDIT_PATH}/${record.id}`, record },
  }));
  if (request.method !== 'HEAD') await recordPrivacyExport(request.service, paths, actorOf(request));
  return sendOnce(request, reply, { records: [...visible(request, records), ...others, ...entries] });
}

/** The records that the key may read, as it sees them. */
function visible({ service, requestContext }: FastifyRequest, records: readonly KnownRecord[]): readonly KnownRecord[] {
  const { hidden } = requestContext.rights;
  if (!hidden) return records;
  const resources = new Map([...service.model.resources.values()].map((each) => [snakeCase(each.name), each]));
  return records.flatMap((known) => {
    const resource = resources.get(known.resource)!;
    return hidden.canRead(resource) ? { ...known, record: redacted(known.record, resource, hidden) } : [];
  });
}

/** Those records whose family the key may read. */
function readable<T extends { readonly resource: string }>(
  request: FastifyRequest,
  records: readonly T[],
): readonly T[] {
  const { service, requestContext } = request;
  const { hidden } = requestContext.rights;
  if (!hidden) return records;
  const names = [...service.model.resources.values()].flatMap((resource) =>
    hidden.canRead(resource) ? [resource.name, snakeCase(resource.name)] : [],
  );
  return records.filter(({ resource }) => names.includes(resource));
}

function erased(
  request: FastifyRequest,
  options: HttpOptions,
  rootsOf: (unit: Unit) => Promise<Roots>,
): Promise<Forgotten> {
  return eraseDataSubject(request.service, requestOptionsOf(request, options), options.erasuresFile, rootsOf);
}

function sendErased(request: FastifyRequest, reply: FastifyReply, forgotten: Forgotten): FastifyReply {
  const { erased: all, retained } = forgotten;
  const seen = { ...forgotten, erased: readable(request, all), retained: readable(request, retained) };
  return sendOnce(request, reply, shown(seen, request.service.environment.timeZone));
}

function shown({ erased, retained }: Forgotten, timeZone: string): object {
  const timestamp = (until: number | null): string | null => (until === null ? null : formatTimestamp(until, timeZone));
  return { erased, retained: retained.map(({ until, ...rest }) => ({ ...rest, until: timestamp(until) })) };
}

/** Not cacheable, without entity tag. */
function sendOnce({ requestContext }: FastifyRequest, reply: FastifyReply, body: object): FastifyReply {
  reply.headers({ 'content-type': `${JSON_TYPE}; charset=utf-8`, 'content-language': requestContext.language });
  reply.header('cache-control', 'no-store');
  if (requestContext.lenient) reply.header('preference-applied', 'handling=lenient');
  return sendEncoded(reply, JSON.stringify(body));
}
