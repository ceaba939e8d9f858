/** Reads a request's address: the identifiers in its path, the wishes in its query. Operations take both as a target. */
import type { FastifyRequest } from 'fastify';
import {
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
  readIdentifier,
  readItem,
  readItemFields,
  readListQuery,
  rejectParameters,
  shortened,
  type Target,
  type Value,
} from '../../engine/index.ts';
import { LINE_TYPES } from '../responses/accept.ts';
import type { HttpOptions } from '../server/context.ts';
import { HTML_TYPE } from './printed.ts';

/** The address as the door has read it. */
interface Address {
  readonly parents: readonly Value[];
  readonly id?: Value;
  readonly listQuery?: ListQuery;
  /** The language whose texts the path means. */
  readonly language?: string;
  /** The fields that a read of one record asks for; undefined is all of them. */
  readonly fields?: readonly ModelField[] | undefined;
  /** The answer is as it would be, and nothing is kept. */
  readonly isTrial?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    address: Address;
  }
}

/**
 * The subject of an address: a record, a collection, a record's texts by language, or a part of a record beside its
 * fields.
 */
export type Of = 'item' | 'collection' | 'texts' | 'texts of a language' | 'more';

/** Reads the path's identifiers and the query; a collection's address has no identifier of its own. */
export function addressReader(route: ModelRoute, of: Of) {
  return (request: FastifyRequest, query = queryOf(request)): Problem | undefined => {
    const parameters = request.params as Record<string, string>;
    const parents = readParents(route, request);
    if (isProblem(parents)) return parents;
    const { lenient } = request.requestContext;
    const readShownFields = (address: Address): Problem | undefined => {
      const fields = readItemFields(route, query, lenient);
      if (fields && isProblem(fields)) return fields;
      if (fields && request.answerType === HTML_TYPE)
        return problem('invalid-argument', 'A page to print shows the whole record; leave "fields" out.');
      request.address = { ...address, fields };
      return undefined;
    };
    const own = route.parameter === undefined ? undefined : parameters[route.parameter];
    if (own !== undefined) {
      const id = readItem(route, own, request.service.environment);
      if (id === undefined) return problem('not-found', 'Invalid identifier value or configuration.');
      if (of === 'item' && isRead(request)) return readShownFields({ parents, id });
      request.address = { parents, id };
      return rejectParameters(query, lenient);
    }
    if (route.parameter === undefined && of === 'item' && isRead(request)) return readShownFields({ parents });
    if (route.parameter === undefined || request.method === 'POST') {
      request.address = { parents };
      return (
        rejectParameters(query, lenient) ?? (request.method === 'POST' ? refuseConditions(request, route) : undefined)
      );
    }
    const isExport = LINE_TYPES.includes(request.answerType);
    const read = isExport ? readExportQuery : readListQuery;
    const listQuery = read(route, query, request.service.environment, lenient);
    if (isProblem(listQuery)) return listQuery;
    request.address = { parents, listQuery };
    return undefined;
  };
}

/** The values of a parameter that is on or off. */
export const FLAGS: Readonly<Record<string, boolean>> = { '': true, true: true, 1: true, false: false, 0: false };

/** The address of an action that may be tried: `dry_run` is the one parameter that it takes. */
export function trialAddressReader(route: ModelRoute) {
  const readAddress = addressReader(route, 'more');
  return (request: FastifyRequest): Problem | undefined => {
    const query = queryOf(request);
    const parameters = query === '' ? [] : parseQueryString(query);
    if (isProblem(parameters)) return parameters;
    const isOurs = ({ name, operator }: (typeof parameters)[number]): boolean =>
      name === 'dry_run' && operator === undefined;
    const [said, again] = parameters.filter(isOurs);
    const other = parameters.find((parameter) => !isOurs(parameter));
    if (other && !request.requestContext.lenient)
      return problem(
        'invalid-argument',
        `Unknown parameter "${shortened(other.written)}": this path takes dry_run alone.`,
      );
    if (again) return problem('invalid-argument', 'The parameter "dry_run" stands more than once; send it once.');
    if (said && !Object.hasOwn(FLAGS, said.value))
      return problem('invalid-argument', `"dry_run" should be true or false; it is "${shortened(said.value)}".`);
    const refused = readAddress(request, '');
    if (refused) return refused;
    const isTrial = FLAGS[said?.value ?? 'false']!;
    if (isTrial && request.headers['idempotency-key'] !== undefined)
      return problem('invalid-argument', 'Idempotency-Key has no meaning with dry_run; leave one of the two out.');
    request.address = { ...request.address, isTrial };
    return undefined;
  };
}

/** The identifiers of the parents that the path names. */
export function readParents(route: ModelRoute, { params }: FastifyRequest): Value[] | Problem {
  const parameters = params as Record<string, string>;
  const parents: Value[] = [];
  for (const [index, { parameter, target }] of route.parents.entries()) {
    const parent = readIdentifier(target, parameters[parameter]!);
    if (parent === undefined) return parentProblem(route, index, [...parents, parameters[parameter]!]);
    parents.push(parent);
  }
  return parents;
}

/** The language in the path is one that the visitor may know of. */
export function textsAddressReader(route: ModelRoute) {
  const readAddress = addressReader(route, 'texts of a language');
  return (request: FastifyRequest): Problem | undefined => {
    const refused = readAddress(request);
    if (refused) return refused;
    const code = (request.params as Record<string, string>)[LANGUAGE_PARAMETER]!;
    if (!request.requestContext.languages.includes(code))
      return problem(
        'not-found',
        `This store has no language ${JSON.stringify(shortened(code))}; /languages lists those that it has.`,
      );
    request.address = { ...request.address, language: code };
    return undefined;
  };
}

export function targetOf({ address }: FastifyRequest, route: ModelRoute): Target {
  return { route, parents: address.parents, id: address.id ?? null, fields: address.fields };
}

export function requestOptionsOf(
  { requestContext, ip }: FastifyRequest,
  { compatibility }: HttpOptions,
): RequestOptions {
  return {
    language: requestContext.language,
    defaultLanguage: requestContext.defaultLanguage,
    unknownLanguage: requestContext.unknownLanguage,
    actor: { keyName: requestContext.keyName, address: ip },
    lenient: requestContext.lenient,
    preservesOmitted: compatibility === '5.5',
  };
}

/** As `requestOptionsOf`, in the language that the path names, whatever the request's own is. */
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

/** A single record's path may have a record already, so there a condition that asks for none has a meaning. */
export function refuseConditions({ headers }: FastifyRequest, { parameter }: ModelRoute): Problem | undefined {
  const meaningless = parameter === undefined ? ['If-Match'] : ['If-Match', 'If-None-Match'];
  const sent = meaningless.find((name) => headers[name.toLowerCase()] !== undefined);
  return sent === undefined
    ? undefined
    : problem('invalid-argument', `${sent} has no meaning when a record is created; leave it out.`);
}

/** The part of the address behind the `?`. */
export function queryOf({ raw }: FastifyRequest): string {
  const mark = raw.url!.indexOf('?');
  return mark === -1 ? '' : readableQuery(raw.url!.slice(mark + 1));
}

/** Some clients send UTF-8 in the address without percent-encoding; Node gives its bytes as Latin-1. */
function readableQuery(query: string): string {
  return /^[\x00-\x7f]*$/.test(query)
    ? query
    : query.replace(/[^\x00-\x7f]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}
