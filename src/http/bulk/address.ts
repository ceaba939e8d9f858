/** Parses the query of a bulk. */
import type { FastifyRequest } from 'fastify';
import {
  type Action,
  bulkKeys,
  bulkModes,
  bulkWriteRoute,
  FLAGS,
  isProblem,
  type ModelField,
  type ModelRoute,
  type Problem,
  parseQueryString,
  problem,
  shortened,
  unknownParameter,
  withoutSynonyms,
} from '../../engine/index.ts';
import { queryOf, readParents, rejectConditions } from '../resources/address.ts';

interface BulkOptions {
  readonly by: ModelField;
  readonly mode: 'upsert' | 'create' | 'update';
  readonly write: 'patch' | 'replace';
  /** Saves all lines or none. */
  readonly isAtomic: boolean;
  /** Saves no line. */
  readonly isTrial: boolean;
  /** The records were created elsewhere, so creating them has no side effects. */
  readonly isPast: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    bulk: BulkOptions;
  }
}

/** @param action runs for each line, instead of a write */
export function bulkAddressReader(route: ModelRoute, action: Action | undefined) {
  return (request: FastifyRequest): Problem | undefined => {
    const parents = readParents(route, request);
    if (isProblem(parents)) return parents;
    request.address = { parents };
    const options = readOptions(request, route, action);
    if (isProblem(options)) return options;
    request.bulk = options;
    return rejectConditions(request, route) ?? refuseKeyOf(request);
  };
}

function readOptions(request: FastifyRequest, route: ModelRoute, action: Action | undefined): BulkOptions | Problem {
  const given = readGiven(request, offeredAt(route, action));
  if (isProblem(given)) return given;
  const { resource } = route;
  const mode = (given.get('mode') ?? 'upsert') as BulkOptions['mode'];
  const by = resource.fields.get(given.get('key') ?? resource.bulk!.by.name)!;
  if (by.isIdentifier && mode === 'create')
    return invalid(`"mode=create" cannot be combined with "key=${by.name}", because the store assigns it.`);
  const flag = (name: string): boolean => FLAGS[given.get(name) ?? 'false']!;
  const write = given.get('write') === 'put' ? 'replace' : 'patch';
  return { by, mode, write, isAtomic: flag('atomic'), isTrial: flag('dry_run'), isPast: flag('past') };
}

function readGiven(
  request: FastifyRequest,
  offered: Readonly<Record<string, readonly string[]>>,
): Problem | ReadonlyMap<string, string> {
  const query = queryOf(request);
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const { lenient } = request.requestContext;
  const given = new Map<string, string>();
  for (const { name, operator, value, written } of parameters) {
    const values = operator === undefined && Object.hasOwn(offered, name) ? offered[name] : undefined;
    if (!values && lenient) continue;
    if (!values) return invalid(unknownParameter(written, withoutSynonyms(Object.keys(offered))));
    if (given.has(name) && !lenient) return invalid(`The parameter "${name}" is given more than once.`);
    if (!values.includes(value)) return invalid(`"${name}" must be ${listOf(values)}, not "${shortened(value)}".`);
    given.set(name, value);
  }
  return given;
}

/** Returns the parameters and their values. */
function offeredAt(route: ModelRoute, action: Action | undefined): Record<string, string[]> {
  const { createsOnly } = route.resource.bulk!;
  const flags = Object.keys(FLAGS);
  const { operations } = bulkWriteRoute(route);
  const own = {
    mode: bulkModes(route),
    ...(createsOnly ? {} : { write: operations.has('replace') ? ['patch', 'put'] : ['patch'] }),
  };
  return {
    key: bulkKeys(route),
    ...(action ? {} : own),
    ...(createsOnly ? { past: flags } : {}),
    atomic: flags,
    dry_run: flags,
  };
}

function listOf(values: readonly string[]): string {
  const named = values.filter((value) => value !== '' && !/^\d$/.test(value));
  return named.length === 1 ? named[0]! : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}

/** Other bulks are repeatable without a key: lines that were already written report it. */
function refuseKeyOf({ headers, bulk }: FastifyRequest): Problem | undefined {
  if (headers['idempotency-key'] === undefined || (bulk.isAtomic && !bulk.isTrial)) return undefined;
  return invalid(
    'Idempotency-Key is supported only with "atomic". The lines of other bulks can be sent again without it.',
  );
}

function invalid(detail: string): Problem {
  return problem('invalid-argument', detail);
}
