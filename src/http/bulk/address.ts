/** Reads the query of a bulk: how its lines are written. */
import type { FastifyRequest } from 'fastify';
import {
  type Action,
  isProblem,
  type ModelField,
  type ModelRoute,
  type Problem,
  parseQueryString,
  problem,
  shortened,
} from '../../engine/index.ts';
import { FLAGS, queryOf, readParents, refuseConditions } from '../resources/address.ts';

interface BulkWishes {
  readonly by: ModelField;
  readonly mode: 'upsert' | 'create' | 'update';
  readonly write: 'patch' | 'replace';
  /** All lines, or none. */
  readonly isAtomic: boolean;
  /** Nothing is kept. */
  readonly isTrial: boolean;
  /** Records were made elsewhere, and are only taken down. */
  readonly isPast: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    bulk: BulkWishes;
  }
}

/** @param action runs for each line, where it is no write of the record itself */
export function bulkAddressReader(route: ModelRoute, action: Action | undefined) {
  return (request: FastifyRequest): Problem | undefined => {
    const parents = readParents(route, request);
    if (isProblem(parents)) return parents;
    request.address = { parents };
    const wishes = readWishes(request, route, action);
    if (isProblem(wishes)) return wishes;
    request.bulk = wishes;
    return refuseConditions(request, route) ?? refuseKeyOf(request);
  };
}

function readWishes(request: FastifyRequest, route: ModelRoute, action: Action | undefined): BulkWishes | Problem {
  const query = queryOf(request);
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const offered = offeredAt(route, action);
  const said = new Map<string, string>();
  for (const { name, operator, value, written } of parameters) {
    const values = operator === undefined && Object.hasOwn(offered, name) ? offered[name] : undefined;
    if (!values && request.requestContext.lenient) continue;
    if (!values)
      return refused(`Unknown parameter "${shortened(written)}". A bulk here has ${Object.keys(offered).join(', ')}.`);
    if (said.has(name)) return refused(`The parameter "${name}" stands more than once; send it once.`);
    if (!values.includes(value)) return refused(`"${name}" should be ${told(values)}; it is "${shortened(value)}".`);
    said.set(name, value);
  }
  const { resource } = route;
  const mode = (said.get('mode') ?? 'upsert') as BulkWishes['mode'];
  const by = resource.fields.get(said.get('key') ?? resource.bulk!.by.name)!;
  if (by.isIdentifier && mode === 'create')
    return refused(`"mode=create" has no meaning with "key=${by.name}": the store gives a new record its ${by.name}.`);
  const flag = (name: string): boolean => FLAGS[said.get(name) ?? 'false']!;
  const write = said.get('write') === 'put' ? 'replace' : 'patch';
  return { by, mode, write, isAtomic: flag('atomic'), isTrial: flag('dry_run'), isPast: flag('past') };
}

/** The parameters, and their values. */
function offeredAt({ resource, operations }: ModelRoute, action: Action | undefined): Record<string, string[]> {
  const { by, createsOnly } = resource.bulk!;
  const flags = Object.keys(FLAGS);
  const key = createsOnly ? [by.name] : [by.name, resource.identifierField];
  const own = {
    mode: createsOnly ? ['upsert', 'create'] : ['upsert', 'create', 'update'],
    ...(createsOnly ? {} : { write: operations.has('replace') ? ['patch', 'put'] : ['patch'] }),
  };
  return { key, ...(action ? {} : own), ...(createsOnly ? { past: flags } : {}), atomic: flags, dry_run: flags };
}

function told(values: readonly string[]): string {
  const named = values.filter((value) => value !== '' && !/^\d$/.test(value));
  return named.length === 1 ? named[0]! : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}

/** A bulk that is cut off is gone on with by sending it again: its lines that are done say so. */
function refuseKeyOf({ headers, bulk }: FastifyRequest): Problem | undefined {
  if (headers['idempotency-key'] === undefined || (bulk.isAtomic && !bulk.isTrial)) return undefined;
  return refused(
    'Idempotency-Key has a meaning only with "atomic"; lines of other bulks may be sent again as they are.',
  );
}

function refused(detail: string): Problem {
  return problem('invalid-argument', detail);
}
