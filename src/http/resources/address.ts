/** Parses the URL of a request: the identifiers in its path and the parameters of its query. */
import type { FastifyRequest } from 'fastify';
import {
  API_PATH,
  type FacetsQuery,
  type Field,
  FLAGS,
  hasCursors,
  isProblem,
  LANGUAGE_PARAMETER,
  type ListQuery,
  type ModelField,
  type ModelRoute,
  type Problem,
  parentProblem,
  parseQueryString,
  problem,
  type RequestOptions,
  readExportQuery,
  readFacetsQuery,
  readIdentifier,
  readItem,
  readItemFields,
  readingOf,
  readListQuery,
  readViewParameters,
  rejectParameters,
  shortened,
  type Target,
  unknownParameter,
  type Value,
  withoutSynonyms,
} from '../../engine/index.ts';
import { rejectHiddenQuery, withoutHidden } from '../access/hidden-queries.ts';
import { namingCheck } from '../access/naming.ts';
import { readingCheck } from '../access/reading.ts';
import { LINE_TYPES } from '../responses/accept.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import { type CursorList, withPosition } from './cursors.ts';
import { HTML_TYPE } from './printed.ts';

/** The parsed URL. */
interface Address {
  readonly parents: readonly Value[];
  readonly id?: Value;
  readonly listQuery?: ListQuery;
  /** The raw query of a list that takes cursors. */
  readonly query?: string;
  /** Set for a search with facets. */
  readonly facetsQuery?: FacetsQuery;
  /** The language in the path. */
  readonly language?: string;
  /** Selected fields of a single record; undefined means all. */
  readonly fields?: readonly ModelField[] | undefined;
  /** Values of a view's query parameters, by name. */
  readonly parameters?: Readonly<Record<string, Value>>;
  /** `dry_run`: respond as usual, but save nothing. */
  readonly isTrial?: boolean;
  /** Query parameters of a quote. */
  readonly quote?: Readonly<Record<string, boolean>>;
}

declare module 'fastify' {
  interface FastifyRequest {
    address: Address;
  }
}

/** What a path identifies; `more` is a view or an action of a record. */
export type Of = 'item' | 'collection' | 'texts' | 'texts of a language' | 'more';

/** Converts a path to the router's syntax. */
export function urlOf(path: string): string {
  return `${API_PATH}${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

/**
 * Returns a parser of the URLs of a route. It sets `request.address` or returns a problem.
 * @param cursorKey needed if the lists of the route take cursors
 */
export function addressReader(route: ModelRoute, of: Of, cursorKey?: Buffer) {
  return (request: FastifyRequest): Problem | undefined => readAddress(request, route, of, queryOf(request), cursorKey);
}

function readAddress(
  request: FastifyRequest,
  route: ModelRoute,
  of: Of,
  query: string,
  cursorKey?: Buffer,
): Problem | undefined {
  const parameters = request.params as Record<string, string>;
  const parents = readParents(route, request);
  if (isProblem(parents)) return parents;
  const isItemRead = of === 'item' && isRead(request);
  const own = route.parameter === undefined ? undefined : parameters[route.parameter];
  if (own !== undefined) return readItemAddress(request, route, query, parents, { own, isItemRead });
  if (route.parameter === undefined && isItemRead) return readShownFields(request, route, query, { parents });
  if (route.parameter !== undefined && request.method !== 'POST')
    return readCollectionQuery(request, route, query, parents, cursorKey);
  request.address = { parents };
  const rejection = rejectParameters(query, request.requestContext.lenient);
  return rejection || request.method !== 'POST' ? rejection : rejectConditions(request, route);
}

function readItemAddress(
  request: FastifyRequest,
  route: ModelRoute,
  query: string,
  parents: readonly Value[],
  { own, isItemRead }: { readonly own: string; readonly isItemRead: boolean },
): Problem | undefined {
  const id = readItem(route, own, request.service.environment);
  if (id === undefined) return problem('not-found', 'Invalid identifier value or configuration.');
  if (isItemRead) return readShownFields(request, route, query, { parents, id });
  request.address = { parents, id };
  return rejectParameters(query, request.requestContext.lenient);
}

function readShownFields(
  request: FastifyRequest,
  route: ModelRoute,
  query: string,
  address: Address,
): Problem | undefined {
  const refused = rejectHiddenQuery(route, query, request.requestContext.rights.hidden);
  if (refused) return refused;
  const fields = readItemFields(route, query, request.requestContext.lenient);
  if (fields && isProblem(fields)) return fields;
  if (fields && request.responseType === HTML_TYPE)
    return problem('invalid-argument', 'Printed pages show the whole record. Omit "fields".');
  request.address = { ...address, fields };
  return undefined;
}

function readCollectionQuery(
  request: FastifyRequest,
  route: ModelRoute,
  query: string,
  parents: readonly Value[],
  cursorKey: Buffer | undefined,
): Problem | undefined {
  const { hidden } = request.requestContext.rights;
  const refused = rejectHiddenQuery(route, query, hidden);
  if (refused) return refused;
  const read = LINE_TYPES.includes(request.responseType) ? readExportQuery : readListQuery;
  const listQuery = read(route, query, readingOf(request.service, request.requestContext));
  if (isProblem(listQuery)) return listQuery;
  const visible = withoutHidden(route, listQuery, hidden);
  if (!hasCursors(route)) request.address = { parents, listQuery: visible };
  else {
    const list = { route, path: route.collectionPath, query };
    const paged = pagedQuery(request, visible, list, cursorKey!);
    if (isProblem(paged)) return paged;
    request.address = { parents, listQuery: paged, query };
  }
  return undefined;
}

/** Returns the query with the position of its cursor, and with the preference for its total. */
function pagedQuery(
  request: FastifyRequest,
  listQuery: ListQuery,
  list: CursorList,
  cursorKey: Buffer,
): ListQuery | Problem {
  const { requestContext, headers } = request;
  const isEstimated = ESTIMATED.test(String(headers.prefer ?? ''));
  return withPosition(requestContext, isEstimated ? { ...listQuery, isEstimated } : listQuery, list, cursorKey);
}

/** The client accepts a total that is only a lower bound (RFC 7240). */
const ESTIMATED = /(?:^|[,;\s])count\s*=\s*"?estimated"?\s*(?:$|[,;])/i;

/** Like `addressReader`, for a search with facets. */
export function facetsAddressReader(route: ModelRoute, cursorKey: Buffer) {
  return (request: FastifyRequest): Problem | undefined => {
    const query = queryOf(request);
    const { hidden } = request.requestContext.rights;
    const refused = rejectHiddenQuery(route, query, hidden);
    if (refused) return refused;
    const facetsQuery = readFacetsQuery(route, query, readingOf(request.service, request.requestContext));
    if (isProblem(facetsQuery)) return facetsQuery;
    const visible = withoutHidden(route, facetsQuery.listQuery, hidden);
    const listQuery = pagedQuery(request, visible, { route, path: route.faceted!.path, query }, cursorKey);
    if (isProblem(listQuery)) return listQuery;
    request.address = { parents: [], listQuery, query, facetsQuery: { ...facetsQuery, listQuery } };
    return undefined;
  };
}

/** Reads the identifiers in the path of a record, without the query and conditions. */
export function readRecordAddress(request: FastifyRequest, route: ModelRoute): Problem | undefined {
  const parents = readParents(route, request);
  if (isProblem(parents)) return parents;
  request.address = { parents };
  if (route.parameter === undefined) return undefined;
  const own = (request.params as Record<string, string>)[route.parameter]!;
  return readItemAddress(request, route, '', parents, { own, isItemRead: false });
}

/** Like `addressReader`, for a view with query parameters. */
export function viewAddressReader(route: ModelRoute, fields: Readonly<Record<string, Field>>) {
  return (request: FastifyRequest): Problem | undefined => {
    const rejection = readRecordAddress(request, route);
    if (rejection) return rejection;
    const reading = readingOf(request.service, request.requestContext);
    const parameters = readViewParameters(fields, queryOf(request), reading);
    if (isProblem(parameters)) return parameters;
    request.address = { ...request.address, parameters };
    return undefined;
  };
}

/** Like `addressReader`, for POSTs whose only parameter is `dry_run`. */
export function trialAddressReader(route: ModelRoute, of: 'collection' | 'more') {
  return (request: FastifyRequest): Problem | undefined => {
    const query = queryOf(request);
    if (isRead(request)) return readAddress(request, route, of, query);
    const flags = readFlags(['dry_run'], query, request.requestContext.lenient);
    if (isProblem(flags)) return flags;
    const isTrial = flags.dry_run!;
    const rejection = readAddress(request, route, of, '');
    if (rejection) return rejection;
    if (isTrial && request.headers['idempotency-key'] !== undefined)
      return problem('invalid-argument', 'Idempotency-Key cannot be combined with dry_run. Omit one of them.');
    request.address = { ...request.address, isTrial };
    return undefined;
  };
}

/** Like `addressReader`, for a quote, whose parameters are true or false. */
export function quoteAddressReader(route: ModelRoute) {
  const names = Object.keys(route.resource.declaration.quote!.parameters);
  return (request: FastifyRequest): Problem | undefined => {
    const quote = readFlags(names, queryOf(request), request.requestContext.lenient);
    if (isProblem(quote)) return quote;
    if (request.headers['idempotency-key'] !== undefined)
      return problem('invalid-argument', 'A quote saves nothing, so Idempotency-Key does not apply. Omit it.');
    request.address = { parents: [], quote };
    return rejectConditions(request, route);
  };
}

/** Returns the values of boolean parameters. Any other parameter is rejected. */
function readFlags<N extends string>(
  names: readonly N[],
  query: string,
  lenient: boolean,
): Readonly<Record<N, boolean>> | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const byName = Map.groupBy(parameters, ({ name, operator }) =>
    operator === undefined ? names.find((each) => each === name) : undefined,
  );
  const [other] = byName.get(undefined) ?? [];
  if (other && !lenient) return problem('invalid-argument', unknownParameter(other.written, withoutSynonyms(names)));
  const flags = {} as Record<N, boolean>;
  for (const name of names) {
    const given = byName.get(name) ?? [];
    if (given.length > 1 && !lenient)
      return problem('invalid-argument', `The parameter "${name}" is given more than once.`);
    const { value = 'false' } = given.at(-1) ?? {};
    if (!Object.hasOwn(FLAGS, value))
      return problem('invalid-argument', `"${name}" must be true or false, not "${shortened(value)}".`);
    flags[name] = FLAGS[value]!;
  }
  return flags;
}

/** Parses the identifiers of the parents in the path. */
export function readParents(route: ModelRoute, { params }: FastifyRequest): Value[] | Problem {
  const parameters = params as Record<string, string>;
  const parents: Value[] = [];
  for (const [index, { parameter, target }] of route.parents.entries()) {
    const parent = readIdentifier(target, parameters[parameter]!);
    if (parent === undefined) return unreadableParent(route, index, [...parents, parameters[parameter]!]);
    parents.push(parent);
  }
  return parents;
}

/** An id with leading zeros is a 404 wherever it is in the path (http.md §2). */
function unreadableParent(route: ModelRoute, index: number, named: readonly Value[]): Problem {
  const { identifier } = route.parents[index]!.target;
  const hasLeadingZeros = identifier.kind === 'integer' && /^0\d/.test(String(named[index]));
  return parentProblem(route, index, named, hasLeadingZeros ? 'not-found' : undefined);
}

/** Like `addressReader`, with a language in the path that the client may read. */
export function textsAddressReader(route: ModelRoute) {
  return (request: FastifyRequest): Problem | undefined => {
    const rejection = readAddress(request, route, 'texts of a language', queryOf(request));
    if (rejection) return rejection;
    const code = (request.params as Record<string, string>)[LANGUAGE_PARAMETER]!;
    if (!request.requestContext.languages.includes(code))
      return problem(
        'not-found',
        `This store has no language ${JSON.stringify(shortened(code))}. /languages lists its languages.`,
      );
    request.address = { ...request.address, language: code };
    return undefined;
  };
}

export function targetOf({ address }: FastifyRequest, route: ModelRoute): Target {
  return { route, parents: address.parents, id: address.id ?? null, fields: address.fields };
}

export function requestOptionsOf(request: FastifyRequest, { compatibility }: HttpOptions): RequestOptions {
  const { requestContext, service } = request;
  return {
    language: requestContext.language,
    defaultLanguage: requestContext.defaultLanguage,
    unknownLanguage: requestContext.unknownLanguage,
    actor: actorOf(request),
    lenient: requestContext.lenient,
    preservesOmitted: compatibility === '5.5',
    preserves: requestContext.rights.hidden?.hides,
    rejectReading: readingCheck(requestContext.rights),
    rejectNaming: namingCheck(service.model, requestContext.rights),
  };
}

/** Like `requestOptionsOf`, with the language in the path instead of `Accept-Language`. */
export function textRequestOptionsOf(request: FastifyRequest, options: HttpOptions): RequestOptions {
  const { requestContext, address } = request;
  return {
    ...requestOptionsOf(request, options),
    language: address.language ?? requestContext.language,
    unknownLanguage: undefined,
  };
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** On a singleton route a record may already exist, so `If-None-Match` is allowed there. */
export function rejectConditions({ headers }: FastifyRequest, { parameter }: ModelRoute): Problem | undefined {
  const meaningless = parameter === undefined ? ['If-Match'] : ['If-Match', 'If-None-Match'];
  const sent = meaningless.find((name) => headers[name.toLowerCase()] !== undefined);
  return sent === undefined
    ? undefined
    : problem('invalid-argument', `${sent} does not apply when a record is created. Omit it.`);
}

/** Returns the part of the URL after the `?`. */
export function queryOf({ raw }: FastifyRequest): string {
  const mark = raw.url!.indexOf('?');
  return mark === -1 ? '' : readableQuery(raw.url!.slice(mark + 1));
}

/** Some clients send UTF-8 in the URL without percent-encoding, which Node decodes as Latin-1. */
function readableQuery(query: string): string {
  return /^[\x00-\x7f]*$/.test(query)
    ? query
    : query.replace(/[^\x00-\x7f]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}
