/** What the paths of users and roles have in common (access.md §3). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RoleGrant } from '../../access/combined-roles.ts';
import { rightsOf } from '../../access/rights.ts';
import { Problem, problem, rejectParameters, type ShownRecord } from '../../engine/index.ts';
import { ungrantable } from '../access/insufficient-scope.ts';
import { queryOf } from '../resources/address.ts';
import { JSON_TYPE, MERGE_PATCH_TYPE } from '../responses/accept.ts';
import { preconditionProblem, recordTag } from '../responses/entity-tags.ts';
import { applyPreference, renderView, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';

/** These records have no version; the digest distinguishes their states. */
const VERSION = 1;

/** The types of bodies that change a record. */
const PATCHED = { 'accept-patch': [MERGE_PATCH_TYPE, JSON_TYPE].join(', ') };

const DIGITS = /^\d{1,15}$/;

export const READS = { offers: [JSON_TYPE] } as const;
export const WRITES = { ...READS, work: 'write' } as const;

/** Options of a route whose requests have a body. */
export function bodyRoute<Config extends object>({ jsonBodyBytesMax }: HttpOptions, config: Config) {
  const bodyLimit = jsonBodyBytesMax === 0 ? Number.MAX_SAFE_INTEGER : jsonBodyBytesMax;
  return { bodyLimit, config: { ...WRITES, takesBody: true, ...config } } as const;
}

interface Sending {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a record that can be changed with PATCH. */
export function sendRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  record: ShownRecord,
  { status = 200, headers = {} }: Sending = {},
): FastifyReply {
  return sendView(request, reply, record, { status, headers: { ...PATCHED, ...headers } });
}

/** Sends a record, or a list of few records. */
export function sendView(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: ShownRecord | readonly ShownRecord[],
  { status = 200, headers = {} }: Sending = {},
): FastifyReply {
  const body = JSON.stringify(shown);
  const rendered = renderView({ body, etag: tagOf(shown) }, request.requestContext.language);
  return sendRendered(request, reply, { ...rendered, headers: { ...rendered.headers, ...headers } }, status);
}

/** A response with a secret or of an action, which must not be stored. */
export function sendOnce(request: FastifyRequest, reply: FastifyReply, body: ShownRecord): FastifyReply {
  const headers = { 'cache-control': 'no-store' };
  return sendRendered(request, reply, { body: JSON.stringify(body), etag: '', headers });
}

export function sendNothing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  applyPreference(request, reply);
  return reply.code(204).send();
}

function tagOf(shown: ShownRecord | readonly ShownRecord[]): string {
  return recordTag(VERSION, JSON.stringify(shown), false);
}

/** Checks the conditions of a write against the record as a GET would show it. */
export function rejectCondition({ headers }: FastifyRequest, record: ShownRecord): Problem | undefined {
  const conditions = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
  return preconditionProblem(conditions, tagOf(record), VERSION);
}

/** Rejects giving rights that the caller lacks, or changing someone who has them. @param action such as “Changing this role” */
export function rejectRights(request: FastifyRequest, grant: RoleGrant, action: string): Problem | undefined {
  const lacking = ungrantableOf(request, grant);
  return lacking.length > 0 ? ungrantable(lacking, action) : undefined;
}

/** Rejects giving rights to users, who may sign in from any network and at any time, by a key that may not. */
export function rejectLimitedKey({ requestContext: { key } }: FastifyRequest, action: string): Problem | undefined {
  const { networks = [], endsAt, keyEndsAt = endsAt } = key;
  if (networks.length === 0 && !Number.isFinite(keyEndsAt)) return undefined;
  const detail = `${action} needs a key that has neither networks nor an expiry, because users have no such limits. Use another key.`;
  return new Problem('insufficient-scope', detail, { more: { missing_scopes: [], masked_fields: [] } });
}

/** Rejects giving someone rights that the caller lacks, and that they did not have before. */
export function rejectFurtherRights(
  request: FastifyRequest,
  before: RoleGrant,
  after: RoleGrant,
  action: string,
): Problem | undefined {
  const had = ungrantableOf(request, before);
  const lacking = ungrantableOf(request, after).filter((each) => !had.includes(each));
  return lacking.length > 0 ? ungrantable(lacking, action) : undefined;
}

/** The scopes that the caller could not give, and the fields that it could not show. */
function ungrantableOf(
  { requestContext: { rights }, service }: FastifyRequest,
  { scopes, masks }: RoleGrant,
): string[] {
  const others = rightsOf(service.model, { kind: 'scoped', scopes, masks });
  return [...rights.notGrantable(scopes), ...rights.droppedMasks(others)];
}

export function idOf(request: FastifyRequest): number {
  return Number((request.params as { id: string }).id);
}

/** Rejects malformed ids and all parameters. */
export function readId(request: FastifyRequest): Problem | undefined {
  if (!DIGITS.test((request.params as { id: string }).id))
    return problem('not-found', 'Invalid identifier value or configuration.');
  return readNoParameters(request);
}

export function readNoParameters(request: FastifyRequest): Problem | undefined {
  return rejectParameters(queryOf(request), request.requestContext.lenient);
}

/** Rejects conditions on a record that does not exist yet. */
export function readCreate(request: FastifyRequest): Problem | undefined {
  const sent = ['If-Match', 'If-None-Match'].find((name) => request.headers[name.toLowerCase()] !== undefined);
  if (sent !== undefined)
    return problem('invalid-argument', `${sent} has no meaning when a record is created; leave it out.`);
  return readNoParameters(request);
}
