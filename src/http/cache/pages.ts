/**
 * Pages of collections. A page in plain JSON is made of its records' texts, which are kept: after a change only the
 * identifiers are asked for again, and the records that the change concerns.
 */
import type { FastifyRequest } from 'fastify';
import {
  type Caller,
  isProblem,
  type ListIntent,
  list,
  listIds,
  type ModelPlace,
  onlyFields,
  type Problem,
  reachedResources,
  readAll,
  type Service,
  type ShownRecord,
  shownResources,
  type Target,
  type Value,
} from '../../engine/index.ts';
import { callerOf, targetOf } from '../resources/address.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { shownPage } from '../responses/representations.ts';
import { renderPage } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { type Dependence, type Freshness, recordKey, type Sources } from './cache-validator.ts';
import { KeptLists, type ListMemory } from './list-id-cache.ts';
import { Kept, type Rendered, wordingOf } from './response-cache.ts';
import type { Memory } from './segmented-lru.ts';

/** An answer that was made, with what it was made of, and the look at the store at which it holds. */
export interface Made {
  readonly rendered: Rendered;
  readonly sources: Sources;
  readonly after: number;
}

/** The parts that pages are made of. */
export interface KeptPages {
  readonly records: Kept<string>;
  /** Which records a page has. */
  readonly members: Kept<Members>;
  /** Which records whole lists have. */
  readonly lists: ListMemory | undefined;
}

interface Members {
  readonly ids: readonly Value[];
  readonly total: number;
}

/** @param lists the memory of whole lists, where any are kept */
export function keptPages(freshness: Freshness, memory: Memory | undefined, lists: ListMemory | undefined): KeptPages {
  return {
    records: new Kept(freshness, memory, 'record ', (text) => [text]),
    members: new Kept(freshness, memory, 'members ', ({ ids }) => ids.map(String)),
    lists,
  };
}

interface Pages {
  /** Reads a page as a whole. */
  read(request: FastifyRequest): Promise<Made | Problem>;
  /**
   * Makes a page of what is kept, as far as it holds; undefined where it has to be read as a whole.
   * @param isKnown it was made before, so that most of its records may be kept
   */
  compose(request: FastifyRequest, isKnown: boolean): Promise<Made | undefined>;
}

/** A page that somebody asks for. */
interface Asked {
  readonly service: Service;
  readonly caller: Caller;
  readonly target: Target;
  readonly intent: ListIntent;
  readonly wording: string;
}

interface Found extends Members {
  /** The look after which it was read, or at which it is known to hold. */
  readonly after: number;
  readonly isProved: boolean;
}

/** While others write without pause, no page would come together: then it is read as a whole. */
const TRIES_MAX = 2;

export function createPages(place: ModelPlace, options: HttpOptions, kept: KeptPages): Pages {
  const { freshness } = options;
  const { resource } = place;
  const anyReached = reachedFrom(place, freshness);
  const comesOrGoes = freshness.dependence((change) => change.resource === resource.name && change.kind !== 'updated');
  const embedded = embeddedIn(place, freshness);
  // Elsewhere a record may be shown otherwise, or its changes be told under another name.
  const isComposable =
    place.parents.length === 0 &&
    place.fixed.size === 0 &&
    !resource.isToldByOwner &&
    !resource.changesUntold &&
    !kept.records.keepsNothing;

  const lists =
    isComposable && kept.lists && resource.identifierType === 'integer'
      ? new KeptLists(freshness, kept.lists, place)
      : undefined;

  /** Whatever decides which records a page has: of a list of all records by their identifiers, only that there are these. */
  const decides = ({ filters, search, orders }: ListIntent): Dependence =>
    filters.length === 0 && !search && orders.length === 0 && resource.defaultOrder.length === 0
      ? comesOrGoes
      : anyReached;
  const sourcesOf = (intent: ListIntent, ids: readonly Value[]): Sources => ({
    all: [decides(intent), embedded],
    records: ids.map((id) => recordKey(resource.name, String(id))),
  });
  const askedOf = (request: FastifyRequest) => ({
    service: request.service,
    caller: callerOf(request, options),
    target: targetOf(request, place),
    intent: request.address.intent!,
    wording: wordingOf(request, options),
  });
  const formOf = ({ intent: { fields }, wording }: Asked): string =>
    `${wording} ${place.path} ${fields?.map(({ name }) => name).join() ?? ''}`;
  const keep = (form: string, id: Value, text: string, after: number): string => {
    const sources = { all: [embedded], records: [recordKey(resource.name, String(id))] };
    kept.records.set(`${form} ${id}`, text, sources, after);
    return text;
  };
  const keepMembers = (form: string, request: FastifyRequest, { ids, total }: Members, after: number): void => {
    const sources = { all: [decides(request.address.intent!)] };
    kept.members.set(`${form} ${request.url}`, { ids, total }, sources, after);
  };
  const render = (request: FastifyRequest, total: number, body: string): Rendered => {
    const { service, url, visit } = request;
    return renderPage(total, request.address.intent!, url, visit.language, service.world.baseUrl, body);
  };

  /** A page's records, as they are kept or, of a page that is known, looked for. */
  const find = async (
    request: FastifyRequest,
    asked: Asked,
    form: string,
    isKnown: boolean,
  ): Promise<Found | undefined> => {
    const members = kept.members.get(`${form} ${request.url}`);
    if (members) return { ...members, after: freshness.taken, isProved: true };
    const listed = await lists?.page(asked);
    if (listed) return { ...listed, after: listed.look, isProved: true };
    if (!isKnown) return undefined;
    const after = freshness.taken;
    const startedAt = performance.now();
    const page = await listIds(asked.service, asked.caller, asked.target, asked.intent);
    if (isProblem(page)) return undefined;
    lists?.missed(asked, page.total, performance.now() - startedAt);
    keepMembers(form, request, page, after);
    return { ...page, after, isProved: false };
  };

  return {
    async read(request) {
      const asked = askedOf(request);
      const { service, caller, target, intent } = asked;
      const after = freshness.taken;
      const startedAt = performance.now();
      const page = await list(service, caller, target, intent);
      if (isProblem(page)) return page;
      const { total, ids } = page;
      if (request.answerType !== JSON_TYPE || !isComposable) {
        const body = JSON.stringify(shownPage(request, place, page, intent));
        return { rendered: render(request, total, body), sources: { all: [anyReached] }, after };
      }
      lists?.missed(asked, total, performance.now() - startedAt);
      const form = formOf(asked);
      keepMembers(form, request, page, after);
      const texts = page.records.map((record, index) => keep(form, ids[index]!, textOf(record, intent), after));
      return { rendered: render(request, total, `[${texts.join()}]`), sources: sourcesOf(intent, ids), after };
    },
    async compose(request, isKnown) {
      if (!isComposable || request.answerType !== JSON_TYPE) return undefined;
      const asked = askedOf(request);
      const { service, caller, intent } = asked;
      const form = formOf(asked);
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const page = await find(request, asked, form, isKnown);
        if (!page) return undefined;
        const { after } = page;
        const texts = new Map(page.ids.map((id) => [id, kept.records.get(`${form} ${id}`)]));
        const missing = page.ids.filter((id) => texts.get(id) === undefined);
        if (missing.length > 0) {
          const target = { ...asked.target, fields: intent.fields };
          for (const [id, record] of await readAll(service, caller, target, missing))
            texts.set(id, keep(form, id, textOf(record, intent), after));
        }
        const shown = page.ids.map((id) => texts.get(id));
        const sources = sourcesOf(intent, page.ids);
        // All that is kept holds at one look; what was just read has to be proved.
        if (!page.isProved || missing.length > 0) await freshness.look();
        if (!freshness.isUnchangedSince(after, sources) || shown.includes(undefined)) continue;
        return { rendered: render(request, page.total, `[${shown.join()}]`), sources, after };
      }
      return undefined;
    },
  };
}

/** The resources that decide which records are at this place, or what they show. */
export function reachedFrom(place: ModelPlace, freshness: Freshness): Dependence {
  const reached = reachedResources(place);
  return freshness.dependence(({ resource }) => reached.has(resource));
}

/** The resources of which a record of this place shows something: a new record is shown by no other before that changes. */
export function embeddedIn(place: ModelPlace, freshness: Freshness): Dependence {
  const { records, identifiers } = shownResources(place);
  return freshness.dependence(
    ({ resource, kind }) =>
      (kind !== 'created' && records.has(resource)) || (kind === 'deleted' && identifiers.has(resource)),
  );
}

function textOf(record: ShownRecord, { fields }: Pick<ListIntent, 'fields'>): string {
  return JSON.stringify(fields ? onlyFields(record, fields) : record);
}
