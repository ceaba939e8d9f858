/** Routes of the declared resources: for each path its operations, and 405 for every other method. */
import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { isProblem, type Problem, problem } from '../engine/errors.ts';
import type { JsonObject } from '../engine/fields/members.ts';
import { plainActionBody, plainBody, plainTexts } from '../engine/hydra.ts';
import { type ListIntent, readIdentifier, readItem, readListIntent, refuseParameters } from '../engine/intent.ts';
import type { ModelPlace } from '../engine/model.ts';
import { act } from '../engine/operations/act.ts';
import { create } from '../engine/operations/create.ts';
import { list } from '../engine/operations/list.ts';
import { parentProblem, read } from '../engine/operations/read.ts';
import { remove } from '../engine/operations/remove.ts';
import {
  readTranslation,
  readTranslations,
  removeTranslation,
  replaceTranslation,
  type TextsRequest,
} from '../engine/operations/translations.ts';
import { update } from '../engine/operations/update.ts';
import { view } from '../engine/operations/view.ts';
import { LANGUAGE_PARAMETER, translationPath, translationsPath, writtenTexts } from '../engine/places.ts';
import type { Value } from '../engine/ports.ts';
import { shortened } from '../engine/query-string.ts';
import type { Action, View } from '../engine/resource.ts';
import type { Found, Request } from '../engine/service.ts';
import { DATA_TYPES, LD_TYPE, PROBLEM_TYPE } from './accept.ts';
import {
  applyPreference,
  renderPage,
  renderRecord,
  renderTranslations,
  renderView,
  sendProblem,
  sendRendered,
} from './answer.ts';
import type { HttpOptions } from './context.ts';
import { answerOnce } from './idempotency.ts';
import type { Work } from './load.ts';
import { linkedRepresentation, plainRepresentation, shownPage } from './representations.ts';
import { isLinkedData, readJsonObject } from './request-body.ts';
import { type Rendered, ResponseCache } from './response-cache.ts';

/** What was read off the address at the door. */
interface Address {
  readonly parents: readonly Value[];
  readonly id?: Value;
  readonly intent?: ListIntent;
  /** The language whose texts the path means. */
  readonly language?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    address: Address;
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The paths that take a picture in their body. */
const takesPicture = ({ resource }: ModelPlace): boolean => resource.declaration.rules?.prepare !== undefined;

export function addResourceRoutes(app: FastifyInstance, options: HttpOptions): void {
  const cache = new ResponseCache(options.responseCacheBytesMax);
  for (const place of options.service.model.places) {
    const { operations } = place;
    const item: Partial<Record<string, Handle>> = {};
    const collection: Partial<Record<string, Handle>> = {};
    if (operations.has('list')) collection.GET = handleList(place, options, cache);
    if (operations.has('create')) collection.POST = handleCreate(place, options);
    if (operations.has('read')) item.GET = handleRead(place, options, cache);
    if (operations.has('replace')) item.PUT = handleUpdate(place, 'replace', options);
    if (operations.has('patch')) item.PATCH = handleUpdate(place, 'patch', options);
    if (operations.has('remove')) item.DELETE = handleRemove(place, options);
    if (place.path === place.collectionPath) {
      addPath(app, place.path, { ...collection, ...item }, addressReader(place, options), place, options);
    } else {
      addPath(app, place.collectionPath, collection, addressReader(place, options), place, options);
      addPath(app, place.path, item, addressReader(place, options), place, options);
    }
    if (place.texts.length > 0) addTranslationRoutes(app, place, options);
  }
  for (const { places, actions, views } of options.service.model.resources.values()) {
    const [place] = places;
    // One path may have both a view and an action.
    const handlers: Record<string, Partial<Record<string, Handle>>> = {};
    for (const action of actions) handlers[action.name] = { [action.method]: handleAction(place!, action, options) };
    for (const declared of views)
      handlers[declared.name] = { ...handlers[declared.name], GET: handleView(place!, declared, options, cache) };
    for (const [name, own] of Object.entries(handlers))
      addPath(app, `${place!.path}/${name}`, own, addressReader(place!, options), place!, options);
  }
}

function addTranslationRoutes(app: FastifyInstance, place: ModelPlace, options: HttpOptions): void {
  const one: Partial<Record<string, Handle>> = { GET: handleTranslation(place, options) };
  if (writtenTexts(place).length > 0) {
    one.PUT = handleReplaceTranslation(place, options);
    one.DELETE = handleRemoveTranslation(place, options);
  }
  const all = { GET: handleTranslations(place, options) };
  addPath(app, translationsPath(place), all, addressReader(place, options), place, options);
  addPath(app, translationPath(place), one, translationAddressReader(place, options), place, options);
}

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

function addPath(
  app: FastifyInstance,
  path: string,
  handlers: Partial<Record<string, Handle>>,
  readAddress: (request: FastifyRequest) => Problem | undefined,
  place: ModelPlace,
  options: HttpOptions,
): void {
  const url = `/api${path.replace(/\{(\w+)\}/g, ':$1')}`;
  const offered = Object.keys(handlers);
  if (offered.length === 0) return;
  const limit = takesPicture(place) ? options.attachmentBodyBytesMax : options.jsonBodyBytesMax;
  for (const [method, handler] of Object.entries(handlers))
    app.route({
      method: method as HTTPMethods,
      url,
      handler: handler!,
      bodyLimit: limit === 0 ? Number.MAX_SAFE_INTEGER : limit,
      config: {
        offers: offersOf(method),
        readAddress,
        takesBody: BODY_METHODS.has(method),
        work: workOf(method, path, place),
      },
    });
  const allowed = [...offered.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
  const refused = METHODS.filter((method) => !allowed.includes(method) && app.supportedMethods.includes(method));
  const refusesWith = allowed.join(', ');
  app.route({ method: refused as HTTPMethods[], url, config: { refusesWith }, handler: () => undefined });
}

/** DELETE answers with nothing but a problem: clients made from the reference ask for that, then. */
function offersOf(method: string): readonly string[] {
  return method === 'DELETE' ? [...DATA_TYPES, PROBLEM_TYPE] : DATA_TYPES;
}

/** Collections and views read much; an item's own path, and those of its texts, read one record. */
function workOf(method: string, path: string, place: ModelPlace): Work {
  const isOfOne = path === place.path || path.startsWith(translationsPath(place));
  if (method === 'GET') return isOfOne ? 'read' : 'list';
  return method !== 'DELETE' && takesPicture(place) ? 'upload' : 'write';
}

/** Reads the path's identifiers and the query; a collection's address has no identifier of its own. */
function addressReader(place: ModelPlace, { service }: HttpOptions) {
  return (request: FastifyRequest): Problem | undefined => {
    const parameters = request.params as Record<string, string>;
    const parents: Value[] = [];
    for (const [index, { parameter, target }] of place.parents.entries()) {
      const parent = readIdentifier(target, parameters[parameter]!);
      if (parent === undefined) return parentProblem(place, index, [...parents, parameters[parameter]!]);
      parents.push(parent);
    }
    const query = queryOf(request);
    const { lenient } = request.visit;
    const own = place.parameter === undefined ? undefined : parameters[place.parameter];
    if (own !== undefined) {
      const id = readItem(place, own, service.world);
      if (id === undefined) return problem('not-found', 'Invalid identifier value or configuration.');
      request.address = { parents, id };
      return refuseParameters(query, lenient);
    }
    if (place.parameter === undefined || request.method === 'POST') {
      request.address = { parents };
      return refuseParameters(query, lenient) ?? (request.method === 'POST' ? refuseIfMatch(request) : undefined);
    }
    const intent = readListIntent(place, query, service.world, lenient);
    if (isProblem(intent)) return intent;
    request.address = { parents, intent };
    return undefined;
  };
}

/** The language in the path is one that the visitor may know of. */
function translationAddressReader(place: ModelPlace, options: HttpOptions) {
  const readAddress = addressReader(place, options);
  return (request: FastifyRequest): Problem | undefined => {
    const refused = readAddress(request);
    if (refused) return refused;
    const code = (request.params as Record<string, string>)[LANGUAGE_PARAMETER]!;
    if (!request.visit.languages.includes(code))
      return problem(
        'not-found',
        `This store has no language ${JSON.stringify(shortened(code))}; /languages lists those that it has.`,
      );
    request.address = { ...request.address, language: code };
    return undefined;
  };
}

function refuseIfMatch({ headers }: FastifyRequest): Problem | undefined {
  if (headers['if-match'] === undefined) return undefined;
  return problem('invalid-argument', 'If-Match has no meaning when a record is created; leave it out.');
}

function queryOf({ raw }: FastifyRequest): string {
  const mark = raw.url!.indexOf('?');
  return mark === -1 ? '' : readableQuery(raw.url!.slice(mark + 1));
}

/** Some clients send UTF-8 in the address without percent-encoding; Node gives its bytes as Latin-1. */
function readableQuery(query: string): string {
  return /^[\x00-\x7f]*$/.test(query)
    ? query
    : query.replace(/[^\x00-\x7f]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

function requestOf(request: FastifyRequest, place: ModelPlace, { compatibility }: HttpOptions): Request {
  const { visit, address } = request;
  return {
    place,
    parents: address.parents,
    id: address.id ?? null,
    language: visit.language,
    defaultLanguage: visit.defaultLanguage,
    unknownLanguage: visit.unknownLanguage,
    ifMatch: request.headers['if-match'],
    visitor: { keyName: visit.keyName, address: request.ip },
    lenient: visit.lenient,
    keepsLeftOut: compatibility === '5.5',
    represent: request.answerType === LD_TYPE ? linkedRepresentation : plainRepresentation,
  };
}

/** In the language that the path names, whatever the request's own is. */
function textsRequestOf(request: FastifyRequest, place: ModelPlace, options: HttpOptions): TextsRequest {
  const { visit, address } = request;
  const { unknownLanguage: _, ...asked } = requestOf(request, place, options);
  return { ...asked, language: address.language ?? visit.language, languages: visit.languages };
}

/** The body as plain JSON, whichever of its forms it was sent in. */
function readBody(request: FastifyRequest, plain: (body: JsonObject) => JsonObject): JsonObject | Problem {
  const sent = readJsonObject(request.body as Buffer | undefined);
  if (isProblem(sent) || !isLinkedData(request.headers['content-type'], request.answerType)) return sent;
  return plain(sent);
}

function handleList(place: ModelPlace, options: HttpOptions, cache: ResponseCache): Handle {
  const { service } = options;
  return cached(
    cache,
    async (request) => {
      const intent = request.address.intent!;
      const page = await list(service, requestOf(request, place, options), intent);
      return isProblem(page)
        ? page
        : renderPage(
            page,
            intent,
            request.url,
            request.visit.language,
            service.world.baseUrl,
            shownPage(request, place, page, intent),
          );
    },
    options,
  );
}

function handleRead(place: ModelPlace, options: HttpOptions, cache: ResponseCache): Handle {
  return cached(
    cache,
    async (request) => {
      const found = await read(options.service, requestOf(request, place, options));
      return isProblem(found) ? found : renderRecord(found, place, request.visit.language);
    },
    options,
  );
}

/** Answers a read from the cache, or renders it and keeps it there. */
function cached(
  cache: ResponseCache,
  render: (request: FastifyRequest) => Promise<Rendered | Problem>,
  { service }: HttpOptions,
): Handle {
  return async (request, reply) => {
    const { generation, language, lenient } = request.visit;
    const key = `${language} ${lenient} ${request.answerType} ${request.raw.url}`;
    const known = cache.get(key, generation);
    if (known) return sendRendered(request, reply, known);
    const rendered = await render(request);
    if (isProblem(rendered)) return sendProblem(reply, rendered, service.world.baseUrl);
    cache.set(key, generation, rendered);
    return sendRendered(request, reply, rendered);
  };
}

function handleCreate(place: ModelPlace, options: HttpOptions): Handle {
  const { service } = options;
  return async (request, reply) => {
    const sent = readBody(request, (body) =>
      plainBody(service.model, { place, ...request.address }, body, service.world),
    );
    if (isProblem(sent)) return sendProblem(reply, sent, service.world.baseUrl);
    const shown = place.declaration.answersOwner ? place.parents.at(-1)!.at! : place;
    return answerOnce(request, reply, service, {
      run: (hooks) => create(service, { ...requestOf(request, place, options), ...hooks }, sent),
      render(created) {
        const { headers, ...rendered } = renderRecord(created, shown, request.visit.language);
        const location = locationOf(request, place, created, sent, service.world.baseUrl);
        return { ...rendered, headers: { location, ...headers }, status: 201 };
      },
    });
  };
}

/** The address of what was created: the path itself for a single record, else the path and its own parameter. */
function locationOf(
  request: FastifyRequest,
  { parameter, item, declaration }: ModelPlace,
  { record }: Found,
  sent: JsonObject,
  baseUrl: string,
): string {
  const path = `${baseUrl}${request.url.split('?')[0]}`;
  if (parameter === undefined) return path;
  // Where the answer is the owner, the new record's own parameter is in what was sent.
  const own = declaration.answersOwner ? sent[item!.name] : record[item!.name];
  return `${path}/${own}`;
}

function handleView(place: ModelPlace, declared: View, options: HttpOptions, cache: ResponseCache): Handle {
  const render = async (request: FastifyRequest): Promise<Rendered | Problem> => {
    const found = await view(options.service, requestOf(request, place, options), declared);
    return isProblem(found) ? found : renderView(found, request.visit.language);
  };
  return cached(cache, render, options);
}

function handleUpdate(place: ModelPlace, mode: 'replace' | 'patch', options: HttpOptions): Handle {
  const { service } = options;
  return async (request, reply) => {
    const sent = readBody(request, (body) =>
      plainBody(service.model, { place, ...request.address }, body, service.world),
    );
    if (isProblem(sent)) return sendProblem(reply, sent, service.world.baseUrl);
    return answer(
      request,
      reply,
      place,
      options,
      await update(service, requestOf(request, place, options), mode, sent),
    );
  };
}

function handleAction(place: ModelPlace, action: Action, options: HttpOptions): Handle {
  const { service } = options;
  return async (request, reply) => {
    const sent = readBody(request, (body) => plainActionBody(service.model, action, body, service.world));
    if (isProblem(sent)) return sendProblem(reply, sent, service.world.baseUrl);
    const { language } = request.visit;
    return answerOnce(request, reply, service, {
      run: (hooks) => act(service, { ...requestOf(request, place, options), ...hooks }, action, sent),
      render: (found) => ({
        ...(action.shows === undefined ? renderRecord(found, place, language) : renderView(found, language)),
        status: 200,
      }),
    });
  };
}

function handleRemove(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const refused = await remove(options.service, requestOf(request, place, options));
    if (refused) return sendProblem(reply, refused, options.service.world.baseUrl);
    applyPreference(request, reply);
    return reply.code(204).send();
  };
}

/** Never kept for another request: a read-only key sees less of it than a read/write key. */
function handleTranslations(place: ModelPlace, options: HttpOptions): Handle {
  const { service } = options;
  return async (request, reply) => {
    const found = await readTranslations(service, textsRequestOf(request, place, options));
    if (isProblem(found)) return sendProblem(reply, found, service.world.baseUrl);
    return sendRendered(request, reply, renderTranslations(found));
  };
}

function handleTranslation(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const found = await readTranslation(options.service, textsRequestOf(request, place, options));
    return answerTranslation(request, reply, options, found);
  };
}

function handleReplaceTranslation(place: ModelPlace, options: HttpOptions): Handle {
  const { service } = options;
  return async (request, reply) => {
    const sent = readBody(request, plainTexts);
    if (isProblem(sent)) return sendProblem(reply, sent, service.world.baseUrl);
    const found = await replaceTranslation(service, textsRequestOf(request, place, options), sent);
    return answerTranslation(request, reply, options, found);
  };
}

function answerTranslation(
  request: FastifyRequest,
  reply: FastifyReply,
  { service }: HttpOptions,
  found: Found | Problem,
): FastifyReply {
  if (isProblem(found)) return sendProblem(reply, found, service.world.baseUrl);
  return sendRendered(request, reply, renderView(found, request.address.language!));
}

function handleRemoveTranslation(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const refused = await removeTranslation(options.service, textsRequestOf(request, place, options));
    if (refused) return sendProblem(reply, refused, options.service.world.baseUrl);
    applyPreference(request, reply);
    return reply.code(204).send();
  };
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  place: ModelPlace,
  { service }: HttpOptions,
  result: Found | Problem,
): FastifyReply {
  if (isProblem(result)) return sendProblem(reply, result, service.world.baseUrl);
  return sendRendered(request, reply, renderRecord(result, place, request.visit.language));
}
