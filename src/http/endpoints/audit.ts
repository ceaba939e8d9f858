/** `/api/audit`: who changed what, for clients with the scope `audit:read` (access.md §4). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { visibleChanges, visibleResources } from '../../access/audit-redaction.ts';
import { AUDIT_PATH, RECORD_AUDIT } from '../../access/scopes.ts';
import {
  API_PATH,
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
  chainAudit,
  committed,
  isProblem,
  type ModelRoute,
  type Problem,
  problem,
  publishedRoutes,
  read,
  readAuditAbout,
  readAuditEntry,
  readAuditPage,
  recordAddress,
} from '../../engine/index.ts';
import { readAuditHead } from '../../store/audit/audit-head.ts';
import { type AuditRecord, auditRecord, readActorNames } from '../../store/audit/audit-records.ts';
import { requestOptionsOf, targetOf, urlOf } from '../resources/address.ts';
import type { Handle } from '../resources/reads.ts';
import { renderPage, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { idOf, READS, readId, readNoParameters, sendView } from '../users/records.ts';
import { type AuditQuery, readAuditQuery, recordAuditReader } from './audit-query.ts';

const config = { ...READS, isForWriters: true } as const;
const LIST = { ...config, work: 'list' } as const;

const COLLECTION = `${API_PATH}${AUDIT_PATH}`;

export function registerAuditRoutes(app: FastifyInstance, options: HttpOptions): void {
  app.decorateRequest('auditQuery');
  app.get(COLLECTION, { config: { ...LIST, readAddress: readAuditQuery } }, handleList(options));
  registerRecordAudit(app, options);
  app.get(`${COLLECTION}/head`, { config: { ...config, readAddress: readNoParameters } }, handleHead);
  app.get(`${COLLECTION}/:id`, { config: { ...config, readAddress: readId } }, handleRead(options));
}

function handleList(options: HttpOptions): Handle {
  return async (request, reply) => {
    await chainAudit(request.service);
    return sendPage(request, reply, options, await readPage(request, request.auditQuery));
  };
}

function readPage(request: FastifyRequest, { filter, direction, itemsPerPage, page }: AuditQuery): Promise<AuditPage> {
  return readAuditPage(
    request.service,
    { ...filter, ...visible(request) },
    { limit: itemsPerPage, offset: (page - 1) * itemsPerPage, direction },
  );
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  { entries, total }: AuditPage,
): Promise<FastifyReply> {
  const { service, auditQuery, requestContext, url } = request;
  const body = JSON.stringify(await shownEntries(request, options, entries));
  const rendered = renderPage({ total }, auditQuery, url, requestContext.language, service.environment.baseUrl, body);
  return sendRendered(request, reply, rendered);
}

/** Whether the client sees an entry with these values. Call `chainAudit` first. */
export async function hasEntries(request: FastifyRequest, equal: AuditFilter['equal']): Promise<boolean> {
  const { total } = await readAuditPage(
    request.service,
    { equal, ...visible(request) },
    { limit: 1, offset: 0, direction: 'desc' },
  );
  return total > 0;
}

/** Paths such as `/api/products/1/audit`. */
function registerRecordAudit(app: FastifyInstance, options: HttpOptions): void {
  for (const resource of options.service.model.resources.values())
    for (const route of publishedRoutes(resource))
      for (const { path } of [route, ...route.aliases])
        app.get(
          urlOf(`${path}${RECORD_AUDIT}`),
          { config: { ...LIST, readAddress: recordAuditReader(route) } },
          handleRecord(route, options),
        );
}

function handleRecord(route: ModelRoute, options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service, auditQuery, address } = request;
    const path = recordAddress(route, address.parents, address.id);
    const ofRecord: AuditQuery['filter']['equal'] = { path, resource: route.resource.name };
    const equal = { ...auditQuery.filter.equal, ...ofRecord };
    await chainAudit(service);
    const page = await readPage(request, { ...auditQuery, filter: { ...auditQuery.filter, equal } });
    if (page.total > 0 || (await hasEntries(request, ofRecord))) return sendPage(request, reply, options, page);
    // Records that are older than the audit, or whose entries have expired.
    const found = await read(service, requestOptionsOf(request, options), targetOf(request, route));
    return isProblem(found) ? sendProblem(reply, found) : sendPage(request, reply, options, page);
  };
}

function handleRead(options: HttpOptions): Handle {
  return async (request, reply) => {
    await chainAudit(request.service);
    const entry = await findVisibleEntry(request);
    if (isProblem(entry)) return sendProblem(reply, entry);
    const [record] = await shownEntries(request, options, [entry]);
    return sendView(request, reply, record!);
  };
}

/** The entry of the path, with the changes that the client sees. Call `chainAudit` first. */
export async function findVisibleEntry(
  request: FastifyRequest,
  reads: Parameters<typeof readAuditEntry>[0] = committed(request.service, request.requestContext),
): Promise<AuditEntry | Problem> {
  const entry = await readAuditEntry(reads, idOf(request), visible(request));
  return entry ? visibleEntry(request, entry) : problem('not-found', `There is no audit entry ${idOf(request)} here.`);
}

function visibleEntry({ service, requestContext }: FastifyRequest, entry: AuditEntry): AuditEntry {
  const { resource } = entry.head;
  const { rights, state } = requestContext;
  const changes = visibleChanges(entry.changes, resource, service.model, { rights, enabled: state.languages });
  return { ...entry, changes: changes as AuditEntry['changes'] };
}

const handleHead: Handle = async (request, reply) => sendView(request, reply, await readAuditHead(request.service));

/** The entries of the records with these paths and of their parts, as the client sees them; none if it cannot read the audit. */
export async function auditRecordsAbout(
  request: FastifyRequest,
  options: HttpOptions,
  paths: readonly string[],
): Promise<AuditRecord[]> {
  const { service, requestContext } = request;
  const { key, rights } = requestContext;
  if (key.kind === 'read-only' || !rights.has('audit:read')) return [];
  await chainAudit(service);
  return shownEntries(request, options, await readAuditAbout(service, paths, visible(request)));
}

function visible({ service, requestContext }: FastifyRequest): Pick<AuditFilter, 'visible'> {
  return { visible: visibleResources(service.model, requestContext.rights) };
}

async function shownEntries(
  request: FastifyRequest,
  { keys }: HttpOptions,
  entries: readonly AuditEntry[],
): Promise<AuditRecord[]> {
  const nameOf = await readActorNames(request.service, keys);
  return entries.map((entry) => auditRecord(visibleEntry(request, entry), nameOf));
}
