/**
 * Pages of collections. A page in plain JSON is made of its records' texts, which are kept: after a change only the
 * identifiers are asked for again, and the records that the change concerns.
 */
import type { FastifyRequest } from 'fastify';
import {
  isProblem,
  list,
  listIds,
  type ModelPlace,
  onlyFields,
  type Problem,
  reachedResources,
  readAll,
  type ShownRecord,
  shownResources,
  type Target,
  type Value,
} from '../engine/index.ts';
import { type Dependence, type Freshness, recordKey, type Sources } from '../store/freshness.ts';
import { JSON_TYPE } from './accept.ts';
import { callerOf, targetOf } from './address.ts';
import { renderPage } from './answer.ts';
import type { HttpOptions } from './context.ts';
import type { Kept, Rendered } from './kept.ts';
import { shownPage } from './representations.ts';

/** A page, and the look at the store at which it holds. */
export interface Composed {
  readonly rendered: Rendered;
  readonly after: number;
}

interface Pages {
  /** Whatever decides which records a page has, and what they show. */
  readonly sources: Sources;
  /** Reads a page as a whole. */
  read(request: FastifyRequest): Promise<Rendered | Problem>;
  /** Makes a page of kept records, as far as they hold; undefined where it has to be read as a whole. */
  compose(request: FastifyRequest): Promise<Composed | undefined>;
}

/** While others write without pause, no page would come together: then it is read as a whole. */
const TRIES_MAX = 2;

export function createPages(place: ModelPlace, options: HttpOptions, records: Kept<string>): Pages {
  const { freshness, followsHost } = options;
  const reached = reachedResources(place);
  const sources = { all: freshness.dependence(({ resource }) => reached.has(resource)) };
  const embedded = embeddedIn(place, freshness);
  // Elsewhere a record may be shown otherwise, or its changes be told under another name.
  const isComposable =
    place.parents.length === 0 && place.fixed.size === 0 && !place.resource.isToldByOwner && !records.keepsNothing;

  const formOf = (request: FastifyRequest): string => {
    const at = followsHost ? request.service.world.baseUrl : '';
    const fields = request.address.intent!.fields?.map(({ name }) => name).join() ?? '';
    const { language, defaultLanguage } = request.visit;
    return `${at} ${language} ${defaultLanguage} ${place.path} ${fields}`;
  };
  const keep = (form: string, id: Value, text: string, after: number): string => {
    const record = recordKey(place.resource.name, String(id));
    records.set(`${form} ${id}`, text, { all: embedded, record }, after);
    return text;
  };
  const targetOfPage = (request: FastifyRequest): Target => ({
    ...targetOf(request, place),
    fields: request.address.intent!.fields,
  });

  return {
    sources,
    async read(request) {
      const { service, url, visit, answerType } = request;
      const intent = request.address.intent!;
      const after = freshness.taken;
      const page = await list(service, callerOf(request, options), targetOf(request, place), intent);
      if (isProblem(page)) return page;
      const { total, ids } = page;
      if (answerType !== JSON_TYPE || !isComposable)
        return render(total, JSON.stringify(shownPage(request, place, page, intent)));
      const form = formOf(request);
      const texts = page.records.map((record, index) => keep(form, ids[index]!, textOf(record, intent), after));
      return render(total, `[${texts.join()}]`);

      function render(all: number, body: string): Rendered {
        return renderPage(all, intent, url, visit.language, service.world.baseUrl, body);
      }
    },
    async compose(request) {
      if (!isComposable || request.answerType !== JSON_TYPE) return undefined;
      const { service, url, visit } = request;
      const intent = request.address.intent!;
      const caller = callerOf(request, options);
      const form = formOf(request);
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const after = freshness.taken;
        const page = await listIds(service, caller, targetOf(request, place), intent);
        if (isProblem(page)) return undefined;
        const known = new Map(page.ids.map((id) => [id, records.get(`${form} ${id}`)]));
        const missing = page.ids.filter((id) => known.get(id) === undefined);
        if (missing.length > 0)
          for (const [id, { record }] of await readAll(service, caller, targetOfPage(request), missing))
            known.set(id, keep(form, id, textOf(record, intent), after));
        await freshness.look();
        const texts = page.ids.map((id) => known.get(id));
        if (!freshness.isUnchangedSince(after, sources) || texts.includes(undefined)) continue;
        const body = `[${texts.join()}]`;
        const rendered = renderPage(page.total, intent, url, visit.language, service.world.baseUrl, body);
        return { rendered, after };
      }
      return undefined;
    },
  };
}

/** The resources of which a record of this place shows something: a new record is shown by no other before that changes. */
export function embeddedIn(place: ModelPlace, freshness: Freshness): Dependence {
  const { records, identifiers } = shownResources(place);
  return freshness.dependence(
    ({ resource, kind }) =>
      (kind !== 'created' && records.has(resource)) || (kind === 'deleted' && identifiers.has(resource)),
  );
}

function textOf(
  record: ShownRecord,
  { fields }: { readonly fields?: Parameters<typeof onlyFields>[1] | undefined },
): string {
  return JSON.stringify(fields ? onlyFields(record, fields) : record);
}
