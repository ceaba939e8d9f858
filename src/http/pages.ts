/**
 * Pages of collections. A page in plain JSON is made of its records' texts, which are kept: after a change only the
 * identifiers are asked for again, and the records that the change concerns.
 */
import type { FastifyRequest } from 'fastify';
import {
  isProblem,
  type ListIntent,
  list,
  listIds,
  type ModelPlace,
  onlyFields,
  type Problem,
  reachedResources,
  readAll,
  type ShownRecord,
  shownResources,
  type Value,
} from '../engine/index.ts';
import { type Dependence, type Freshness, recordKey, type Sources } from '../store/freshness.ts';
import { JSON_TYPE } from './accept.ts';
import { callerOf, targetOf } from './address.ts';
import { renderPage } from './answer.ts';
import type { HttpOptions } from './context.ts';
import { Kept, type Rendered, wordingOf } from './kept.ts';
import { KeptLists, Reading } from './kept-lists.ts';
import type { Memory } from './memory.ts';
import { shownPage } from './representations.ts';

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
  readonly memory: Memory | undefined;
  readonly reading: Reading;
}

interface Members {
  readonly ids: readonly Value[];
  readonly total: number;
}

export function keptPages(freshness: Freshness, memory: Memory | undefined): KeptPages {
  return {
    records: new Kept(freshness, memory, 'record ', (text) => [text]),
    members: new Kept(freshness, memory, 'members ', ({ ids }) => ids.map(String)),
    memory,
    reading: new Reading(),
  };
}

interface Pages {
  /** Reads a page as a whole. */
  read(request: FastifyRequest): Promise<Made | Problem>;
  /**
   * Makes a page of what is kept, as far as it holds; undefined where it has to be read as a whole.
   * @param isKnown it was made before
   */
  compose(request: FastifyRequest, isKnown: boolean): Promise<Made | undefined>;
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
    place.parents.length === 0 && place.fixed.size === 0 && !resource.isToldByOwner && !kept.records.keepsNothing;

  const lists =
    isComposable && resource.identifierType === 'integer'
      ? new KeptLists(freshness, kept.memory!, place, kept.reading)
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
  const formOf = (request: FastifyRequest): string => {
    const fields = request.address.intent!.fields?.map(({ name }) => name).join() ?? '';
    return `${wordingOf(request, options)} ${place.path} ${fields}`;
  };
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

  return {
    async read(request) {
      const intent = request.address.intent!;
      const after = freshness.taken;
      const page = await list(request.service, callerOf(request, options), targetOf(request, place), intent);
      if (isProblem(page)) return page;
      const { total, ids } = page;
      if (request.answerType !== JSON_TYPE || !isComposable) {
        const body = JSON.stringify(shownPage(request, place, page, intent));
        return { rendered: render(request, total, body), sources: { all: [anyReached] }, after };
      }
      const form = formOf(request);
      keepMembers(form, request, page, after);
      const texts = page.records.map((record, index) => keep(form, ids[index]!, textOf(record, intent), after));
      return { rendered: render(request, total, `[${texts.join()}]`), sources: sourcesOf(intent, ids), after };
    },
    async compose(request, isKnown) {
      if (!isComposable || request.answerType !== JSON_TYPE) return undefined;
      const { service } = request;
      const intent = request.address.intent!;
      const caller = callerOf(request, options);
      const form = formOf(request);
      const asked = { service, caller, target: targetOf(request, place), intent };
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const listed: (Members & { look?: number }) | undefined =
          kept.members.get(`${form} ${request.url}`) ??
          (await lists?.page(asked, `${wordingOf(request, options)} ${place.path}`));
        if (!listed && !isKnown) return undefined;
        const after = listed?.look ?? freshness.taken;
        const page = listed ?? (await listIds(service, caller, asked.target, intent));
        if (isProblem(page)) return undefined;
        if (!listed) keepMembers(form, request, page, after);
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
        if (!listed || missing.length > 0) await freshness.look();
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
