/** `/storefront/me/addresses`: the address book of the session’s customer (profiles.md §2). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Condition,
  inUnit,
  isProblem,
  list,
  type ModelRoute,
  type Problem,
  problem,
  read,
  readItem,
  readingOf,
  readListParameters,
  remove,
  type Service,
  type Target,
  type Versioned,
  type WriteMode,
  type Written,
  writeRecord,
} from '../../../engine/index.ts';
import { rejectConditions } from '../../resources/address.ts';
import type { Handle } from '../../resources/reads.ts';
import { readJsonObject } from '../../resources/request-body.ts';
import { conditionOf, recordTag } from '../../responses/entity-tags.ts';
import { STOREFRONT_PATH } from '../../responses/headers.ts';
import { sendProblem, sendRendered } from '../../responses/response.ts';
import type { HttpOptions } from '../../server/context.ts';
import { readLanguage } from '../language.ts';
import {
  CUSTOMER_ROUTE,
  CUSTOMER_WRITE,
  customerBody,
  readNoParameters,
  sendPage,
  shopperOptions,
} from './requests.ts';
import { holdSession } from './session.ts';

const PATH = `${STOREFRONT_PATH}/me/addresses`;
const ITEM = `${PATH}/:address_id`;

export function registerAddressRoutes(app: FastifyInstance, options: HttpOptions): void {
  const [route] = options.service.model.resources.get('ProfileAddress')!.routes;
  const book: Book = { route: route!, service: options.service };
  const needsSession = true;
  const one = { needsSession, readAddress: itemReader(book) };
  const creating = { needsSession, readAddress: readCreation(book) };
  app.get(
    PATH,
    { config: { ...CUSTOMER_ROUTE, needsSession, work: 'list', readAddress: listReader(book) } },
    handleList(book),
  );
  app.post(PATH, customerBody(options, creating), handleCreate(book));
  app.get(ITEM, { config: { ...CUSTOMER_ROUTE, ...one } }, handleRead(book));
  app.put(ITEM, customerBody(options, one), handleUpdate(book, 'replace'));
  app.patch(ITEM, customerBody(options, one), handleUpdate(book, 'patch'));
  app.delete(ITEM, { config: { ...CUSTOMER_WRITE, ...one } }, handleRemove(book));
}

interface Book {
  readonly route: ModelRoute;
  readonly service: Service;
}

type ReadAddress = (request: FastifyRequest) => Problem | undefined;

function listReader({ route }: Book): ReadAddress {
  return (request) => {
    const sent = readLanguage(request);
    if (isProblem(sent)) return sent;
    const reading = readingOf(request.service, request.requestContext);
    const listQuery = readListParameters(route, sent, reading, ['language']);
    if (isProblem(listQuery)) return listQuery;
    request.address = { parents: [request.shopper!.profile], listQuery };
    return undefined;
  };
}

function readCreation({ route }: Book): ReadAddress {
  return (request) => {
    request.address = { parents: [request.shopper!.profile] };
    return readNoParameters(request) ?? rejectConditions(request, route);
  };
}

function itemReader({ route, service }: Book): ReadAddress {
  return (request) => {
    const { address_id: sent } = request.params as { readonly address_id: string };
    const id = readItem(route, sent, service.environment);
    if (id === undefined) return problem('not-found', 'Invalid identifier value or configuration.');
    request.address = { parents: [request.shopper!.profile], id };
    return readNoParameters(request);
  };
}

function targetOf({ address: { parents, id } }: FastifyRequest, { route }: Book): Target {
  return { route, parents, ...(id === undefined ? {} : { id }) };
}

function tagOf({ record, version }: Versioned): string {
  return recordTag(version, JSON.stringify(record), false);
}

function conditionIn({ headers }: FastifyRequest): Condition | undefined {
  return conditionOf({ ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] }, tagOf);
}

function sendAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  address: Versioned,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  const body = JSON.stringify(address.record);
  const all = { 'content-language': request.requestContext.language, ...headers };
  return sendRendered(request, reply, { body, etag: tagOf(address), headers: all }, status);
}

function handleList(book: Book): Handle {
  return async (request, reply) => {
    const { listQuery } = request.address;
    const page = await list(request.service, shopperOptions(request), targetOf(request, book), listQuery!);
    return isProblem(page) ? sendProblem(reply, page) : sendPage(request, reply, page, listQuery!);
  };
}

function handleRead(book: Book): Handle {
  return async (request, reply) => {
    const found = await read(request.service, shopperOptions(request), targetOf(request, book));
    return isProblem(found) ? sendProblem(reply, found) : sendAddress(request, reply, found);
  };
}

/** Creates or changes an address, unless the session has ended. */
function write(
  request: FastifyRequest,
  book: Book,
  mode: WriteMode,
  sent: Readonly<Record<string, unknown>>,
): Promise<Written | Problem> {
  const condition = mode === 'create' ? undefined : conditionIn(request);
  const target = targetOf(request, book);
  return writeRecord(
    request.service,
    shopperOptions(request),
    target,
    mode,
    sent,
    { condition },
    async (unit, saved) => (await holdSession(unit, request)) ?? saved(),
  );
}

function handleCreate(book: Book): Handle {
  return async (request, reply) => {
    const { service } = request;
    const sent = readJsonObject(request.body as Buffer | undefined);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const made = await write(request, book, 'create', sent);
    if (isProblem(made)) return sendProblem(reply, made);
    const location = `${service.environment.baseUrl}${PATH}/${made.target.id}`;
    return sendAddress(request, reply, made, 201, { location });
  };
}

function handleUpdate(book: Book, mode: 'replace' | 'patch'): Handle {
  return async (request, reply) => {
    const sent = readJsonObject(request.body as Buffer | undefined);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const written = await write(request, book, mode, sent);
    return isProblem(written) ? sendProblem(reply, written) : sendAddress(request, reply, written);
  };
}

function handleRemove(book: Book): Handle {
  return async (request, reply) => {
    const rejected = await inUnit(
      request.service,
      shopperOptions(request),
      async (unit) => (await holdSession(unit, request)) ?? remove(unit, targetOf(request, book), conditionIn(request)),
    );
    return rejected ? sendProblem(reply, rejected) : reply.code(204).send();
  };
}
