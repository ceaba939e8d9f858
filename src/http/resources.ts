/** Routes of the declared resources: for each path its operations, and 405 for every other method. */
import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { isProblem, type Problem, problem } from '../engine/errors.ts';
import type { JsonObject } from '../engine/fields/members.ts';
import { plainActionBody, plainBody, plainTexts } from '../engine/hydra.ts';
import { type ListIntent, readIdentifier, readItem, readListIntent, refuseParameters } from '../engine/intent.ts';
import type { ModelField, ModelPlace } from '../engine/model.ts';
import { act } from '../engine/operations/act.ts';
import { create } from '../engine/operations/create.ts';
import { list } from '../engine/operations/list.ts';
import { takesPictures } from '../engine/operations/pictures.ts';
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
import { withIdentifiers } from '../engine/references.ts';
import type { Action, View } from '../engine/resource.ts';
import type { Found, Request } from '../engine/service.ts';
import { readItemFields } from '../engine/shown-fields.ts';
import { DATA_TYPES } from './accept.ts';
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
import { Form, formBody } from './form.ts';
import { answerOnce, type Post } from './idempotency.ts';
import type { Load, Work } from './load.ts';
import { representation, shownPage } from './representations.ts';
import { isLinkedData, readJsonObject } from './request-body.ts';
import { type Rendered, ResponseCache } from './response-cache.ts';

/** What was read off the address at the door. */
interface Address {
  readonly parents: readonly Value[];
  readonly id?: Value;
  readonly intent?: ListIntent;
  /** The language whose texts the path means. */
  readonly language?: string;
  /** What a read of one record asks for; undefined is everything. */
  readonly fields?: readonly ModelField[] | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    address: Address;
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function addResourceRoutes(app: FastifyInstance, options: HttpOptions, load: Load): void {
  const cache = new ResponseCache(options.responseCacheBytesMax);
  for (const place of options.service.model.places) {
    const { operations } = place;
    const item: Partial<Record<string, Handle>> = {};
    const collection: Partial<Record<string, Handle>> = {};
    if (operations.has('list')) collection.GET = handleList(place, options, cache);
    if (operations.has('create')) collection.POST = handleCreate(place, options, load);
    if (operations.has('read')) item.GET = handleRead(place, options, cache);
    if (operations.has('replace')) item.PUT = handleUpdate(place, 'replace', options);
    if (operations.has('patch')) item.PATCH = handleUpdate(place, 'patch', options);
    if (operations.has('remove')) item.DELETE = handleRemove(place, options);
    for (const { path, collectionPath } of [place, ...place.aliases]) {
      if (path === collectionPath) {
        addPath(app, path, 'item', { ...collection, ...item }, place, options);
      } else {
        addPath(app, collectionPath, 'collection', collection, place, options);
        addPath(app, path, 'item', item, place, options);
      }
    }
    if (place.texts.length > 0) addTranslationRoutes(app, place, options);
  }
  for (const { places, actions, views } of options.service.model.resources.values()) {
    const [place] = places;
    // One path may have both a view and an action.
    const handlers: Record<string, Partial<Record<string, Handle>>> = {};
    for (const action of actions)
      handlers[action.name] = { [action.method]: handleAction(place!, action, options, load) };
    for (const declared of views)
      handlers[declared.name] = { ...handlers[declared.name], GET: handleView(place!, declared, options, cache) };
    for (const [name, own] of Object.entries(handlers))
      for (const { path } of [place!, ...place!.aliases]) addPath(app, `${path}/${name}`, 'more', own, place!, options);
  }
}

function addTranslationRoutes(app: FastifyInstance, place: ModelPlace, options: HttpOptions): void {
  const one: Partial<Record<string, Handle>> = { GET: handleTranslation(place, options) };
  if (writtenTexts(place).length > 0) {
    one.PUT = handleReplaceTranslation(place, options);
    one.DELETE = handleRemoveTranslation(place, options);
  }
  const all = { GET: handleTranslations(place, options) };
  for (const reached of [place, ...place.aliases]) {
    addPath(app, translationsPath(reached), 'texts', all, place, options);
    addPath(app, translationPath(reached), 'texts of a language', one, place, options);
  }
}

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/** What an address is of: a record, a collection, its texts by language, or what one record has beside its fields. */
type Of = 'item' | 'collection' | 'texts' | 'texts of a language' | 'more';

function addPath(
  app: FastifyInstance,
  path: string,
  of: Of,
  handlers: Partial<Record<string, Handle>>,
  place: ModelPlace,
  options: HttpOptions,
): void {
  const url = `/api${path.replace(/\{(\w+)\}/g, ':$1')}`;
  const offered = Object.keys(handlers);
  if (offered.length === 0) return;
  const readAddress = of === 'texts of a language' ? textsAddressReader(place) : addressReader(place, of);
  const { upload } = place.resource.declaration;
  for (const [method, handler] of Object.entries(handlers)) {
    const { limit, ...load } = loadOf(method, of, place, options);
    app.route({
      method: method as HTTPMethods,
      url,
      handler: handler!,
      bodyLimit: limit === 0 ? Number.MAX_SAFE_INTEGER : limit,
      config: {
        offers: DATA_TYPES,
        readAddress,
        takesBody: BODY_METHODS.has(method),
        ...load,
        ...(load.work === 'upload' && upload ? { filePart: upload.part } : {}),
      },
    });
  }
  const allowed = [...offered.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
  const refused = METHODS.filter((method) => !allowed.includes(method) && app.supportedMethods.includes(method));
  const refusesWith = allowed.join(', ');
  app.route({ method: refused as HTTPMethods[], url, config: { refusesWith }, handler: () => undefined });
}

/** A smaller body is no upload, however low the limit of JSON bodies is. */
const UPLOAD_FROM_MIN = 65_536;

/**
 * What of the server's work a request is, and how large its body may be. Collections and views read much; an item's own
 * path, and those of its texts, read one record. A record that may be made with pictures is a write as any other until its
 * body is larger than those may be.
 */
function loadOf(
  method: string,
  of: Of,
  place: ModelPlace,
  { jsonBodyBytesMax, attachmentBodyBytesMax }: HttpOptions,
): { readonly limit: number; readonly work: Work; readonly uploadFrom?: number } {
  if (method === 'GET')
    return { limit: jsonBodyBytesMax, work: of === 'collection' || of === 'more' ? 'list' : 'read' };
  const pictures = takesPictures(place);
  if (method !== 'DELETE' && pictures.itself) return { limit: attachmentBodyBytesMax, work: 'upload' };
  const isCreate = method === 'POST' && of === 'collection';
  if (!isCreate || !pictures.inParts) return { limit: jsonBodyBytesMax, work: 'write' };
  const isUnlimited = jsonBodyBytesMax === 0 || attachmentBodyBytesMax === 0;
  const limit = isUnlimited ? 0 : Math.max(jsonBodyBytesMax, attachmentBodyBytesMax);
  return { limit, work: 'write', uploadFrom: Math.max(jsonBodyBytesMax, UPLOAD_FROM_MIN) + 1 };
}

/** Reads the path's identifiers and the query; a collection's address has no identifier of its own. */
function addressReader(place: ModelPlace, of: Of) {
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
    const readShownFields = (address: Address): Problem | undefined => {
      const fields = readItemFields(place, query, lenient);
      if (fields && isProblem(fields)) return fields;
      request.address = { ...address, fields };
      return undefined;
    };
    const own = place.parameter === undefined ? undefined : parameters[place.parameter];
    if (own !== undefined) {
      const id = readItem(place, own, request.service.world);
      if (id === undefined) return problem('not-found', 'Invalid identifier value or configuration.');
      if (of === 'item' && isRead(request)) return readShownFields({ parents, id });
      request.address = { parents, id };
      return refuseParameters(query, lenient);
    }
    if (place.parameter === undefined && of === 'item' && isRead(request)) return readShownFields({ parents });
    if (place.parameter === undefined || request.method === 'POST') {
      request.address = { parents };
      return (
        refuseParameters(query, lenient) ?? (request.method === 'POST' ? refuseConditions(request, place) : undefined)
      );
    }
    const intent = readListIntent(place, query, request.service.world, lenient);
    if (isProblem(intent)) return intent;
    request.address = { parents, intent };
    return undefined;
  };
}

/** The language in the path is one that the visitor may know of. */
function textsAddressReader(place: ModelPlace) {
  const readAddress = addressReader(place, 'texts of a language');
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

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A single record's path may have a record already, so there a condition that asks for none has a meaning. */
function refuseConditions({ headers }: FastifyRequest, { parameter }: ModelPlace): Problem | undefined {
  const meaningless = parameter === undefined ? ['If-Match'] : ['If-Match', 'If-None-Match'];
  const sent = meaningless.find((name) => headers[name.toLowerCase()] !== undefined);
  return sent === undefined
    ? undefined
    : problem('invalid-argument', `${sent} has no meaning when a record is created; leave it out.`);
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
    fields: address.fields,
    language: visit.language,
    defaultLanguage: visit.defaultLanguage,
    unknownLanguage: visit.unknownLanguage,
    ifMatch: request.headers['if-match'],
    ifNoneMatch: request.headers['if-none-match'],
    ...(request.body instanceof Form ? { form: request.body } : {}),
    visitor: { keyName: visit.keyName, address: request.ip },
    lenient: visit.lenient,
    keepsLeftOut: compatibility === '5.5',
    represent: representation(request.answerType, request.service.world),
  };
}

/** In the language that the path names, whatever the request's own is. */
function textsRequestOf(request: FastifyRequest, place: ModelPlace, options: HttpOptions): TextsRequest {
  const { visit, address } = request;
  const { unknownLanguage: _, ...asked } = requestOf(request, place, options);
  return { ...asked, language: address.language ?? visit.language, languages: visit.languages };
}

/** The body as plain JSON, whatever it was sent as. */
function readBody(
  request: FastifyRequest,
  place: ModelPlace,
  plain: (body: JsonObject) => JsonObject,
): JsonObject | Problem {
  if (request.body instanceof Form) return formBody(place, request.body);
  const sent = readJsonObject(request.body as Buffer | undefined);
  if (isProblem(sent) || !isLinkedData(request.headers['content-type'], request.answerType)) return sent;
  return plain(sent);
}

function handleList(place: ModelPlace, options: HttpOptions, cache: ResponseCache): Handle {
  return cached(
    cache,
    async (request) => {
      const { service } = request;
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
      const found = await read(request.service, requestOf(request, place, options));
      return isProblem(found) ? found : renderRecord(found, place, request.visit.language);
    },
    options,
  );
}

/** Answers a read from the cache, or renders it and keeps it there. */
function cached(
  cache: ResponseCache,
  render: (request: FastifyRequest) => Promise<Rendered | Problem>,
  { followsHost }: HttpOptions,
): Handle {
  return async (request, reply) => {
    const { generation, language, lenient } = request.visit;
    const at = followsHost ? request.service.world.baseUrl : '';
    const key = `${at} ${language} ${lenient} ${request.answerType} ${request.raw.url}`;
    const known = cache.get(key, generation);
    if (known) return sendRendered(request, reply, known);
    const rendered = await render(request);
    if (isProblem(rendered)) return sendProblem(reply, rendered);
    cache.set(key, generation, rendered);
    return sendRendered(request, reply, rendered);
  };
}

function handleCreate(place: ModelPlace, options: HttpOptions, load: Load): Handle {
  return async (request, reply) => {
    const { service } = request;
    const sent = readBody(request, place, (body) => plainBody({ place, ...request.address }, body, service.world));
    if (isProblem(sent)) return sendProblem(reply, sent);
    const shown = place.declaration.answersOwner ? place.parents.at(-1)!.at! : place;
    const aside = load.aside(request);
    const post: Post = {
      run: (hooks) => create(service, { ...requestOf(request, place, options), ...hooks, aside }, sent),
      render(created) {
        const { headers, ...rendered } = renderRecord(created, shown, request.visit.language);
        const location = locationOf(request, place, created, sent, service.world.baseUrl);
        return { ...rendered, headers: { location, ...headers }, status: 201 };
      },
    };
    return answerOnce(request, reply, post, aside);
  };
}

/** The address of what was created: the path itself for a single record, else the path and its own parameter. */
function locationOf(
  request: FastifyRequest,
  { parameter, item, fields, declaration }: ModelPlace,
  { record }: Found,
  sent: JsonObject,
  baseUrl: string,
): string {
  const path = `${baseUrl}${request.url.split('?')[0]}`;
  if (parameter === undefined) return path;
  // Where the answer is the owner, the new record's own parameter is in what was sent.
  const own = (declaration.answersOwner ? withIdentifiers(fields, sent, baseUrl) : record)[item!.name];
  return `${path}/${own}`;
}

function handleView(place: ModelPlace, declared: View, options: HttpOptions, cache: ResponseCache): Handle {
  const render = async (request: FastifyRequest): Promise<Rendered | Problem> => {
    const found = await view(request.service, requestOf(request, place, options), declared);
    return isProblem(found) ? found : renderView(found, request.visit.language);
  };
  return cached(cache, render, options);
}

function handleUpdate(place: ModelPlace, mode: 'replace' | 'patch', options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service } = request;
    const sent = readBody(request, place, (body) => plainBody({ place, ...request.address }, body, service.world));
    if (isProblem(sent)) return sendProblem(reply, sent);
    return answer(request, reply, place, await update(service, requestOf(request, place, options), mode, sent));
  };
}

function handleAction(place: ModelPlace, action: Action, options: HttpOptions, load: Load): Handle {
  return async (request, reply) => {
    const { service } = request;
    const sent = readBody(request, place, (body) => plainActionBody(service.model, action, body));
    if (isProblem(sent)) return sendProblem(reply, sent);
    const { language } = request.visit;
    const post: Post = {
      run: (hooks) => act(service, { ...requestOf(request, place, options), ...hooks }, action, sent),
      render: (found) => ({
        ...(action.shows === undefined ? renderRecord(found, place, language) : renderView(found, language)),
        status: 200,
      }),
    };
    return answerOnce(request, reply, post, load.aside(request));
  };
}

function handleRemove(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const refused = await remove(request.service, requestOf(request, place, options));
    if (refused) return sendProblem(reply, refused);
    applyPreference(request, reply);
    return reply.code(204).send();
  };
}

/** Never kept for another request: a read-only key sees less of it than a read/write key. */
function handleTranslations(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service } = request;
    const found = await readTranslations(service, textsRequestOf(request, place, options));
    if (isProblem(found)) return sendProblem(reply, found);
    return sendRendered(request, reply, renderTranslations(found));
  };
}

function handleTranslation(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const found = await readTranslation(request.service, textsRequestOf(request, place, options));
    return answerTranslation(request, reply, found);
  };
}

function handleReplaceTranslation(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const { service } = request;
    const sent = readBody(request, place, plainTexts);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const found = await replaceTranslation(service, textsRequestOf(request, place, options), sent);
    return answerTranslation(request, reply, found);
  };
}

function answerTranslation(request: FastifyRequest, reply: FastifyReply, found: Found | Problem): FastifyReply {
  if (isProblem(found)) return sendProblem(reply, found);
  return sendRendered(request, reply, renderView(found, request.address.language!));
}

function handleRemoveTranslation(place: ModelPlace, options: HttpOptions): Handle {
  return async (request, reply) => {
    const refused = await removeTranslation(request.service, textsRequestOf(request, place, options));
    if (refused) return sendProblem(reply, refused);
    applyPreference(request, reply);
    return reply.code(204).send();
  };
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  place: ModelPlace,
  result: Found | Problem,
): FastifyReply {
  if (isProblem(result)) return sendProblem(reply, result);
  return sendRendered(request, reply, renderRecord(result, place, request.visit.language));
}
