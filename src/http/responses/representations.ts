/** Represents data as plain JSON or as JSON-LD with Hydra, as content negotiation has chosen. */
import type { FastifyRequest } from 'fastify';
import type { HiddenData } from '../../access/hidden-data.ts';
import { redacted } from '../../access/redaction.ts';
import { collectionOf, itemOf, shownOf, textsOf, viewOf } from '../../describe/hydra.ts';
import {
  type Environment,
  ESTIMATED_COUNT_MAX,
  type ListQuery,
  type ModelRoute,
  onlyFields,
  type Page,
  type ShownRecord,
  type Target,
  type Translations,
  type Versioned,
  type View,
  type Written,
} from '../../engine/index.ts';
import { LD_TYPE } from './accept.ts';
import { recordTag } from './entity-tags.ts';
import { isLowerBound, type PageExtent, pageAddresses } from './headers.ts';

/** What a response shows: a record, a view of it, one of its fields, or its texts by language. */
export interface Shown extends Target {
  readonly view?: View;
  readonly field?: string | undefined;
  /** Texts in one language, or in all. */
  readonly texts?: { readonly language?: string };
}

export interface Representation {
  readonly body: string;
  readonly etag: string;
}

/** Represents a record as a GET with the same `Accept` would. */
export function represent(
  { responseType, service, requestContext }: Pick<FastifyRequest, 'responseType' | 'service' | 'requestContext'>,
  { record, version, once }: Versioned & Pick<Written, 'once'>,
  shown: Shown,
): Representation {
  const own = shown.field === undefined ? record : (record[shown.field] as ShownRecord);
  const inForm = (of: ShownRecord): Representation =>
    represented(
      visible(responseType === LD_TYPE ? linked(of, shown) : of, shown, requestContext.rights.hidden),
      version,
      shown,
      service.environment,
    );
  const { body, etag } = inForm(own);
  // The tag is that of later responses, without values that are shown once.
  return { body: once && shown.field === undefined ? inForm({ ...own, ...once }).body : body, etag };
}

/** Removes what the key of the request cannot see. Views and texts in all languages are checked as a whole. */
function visible(of: ShownRecord, { route, field, view, texts }: Shown, hidden: HiddenData | undefined): ShownRecord {
  if (!hidden || view || texts) return of;
  const { resource } = route;
  return redacted(of, field === undefined ? resource : resource.fields.get(field)!.target!, hidden);
}

function represented(
  record: ShownRecord,
  version: number,
  { fields }: Shown,
  environment: Environment,
): Representation {
  const body = JSON.stringify(fields ? onlyFields(record, fields) : record);
  // The tag must not depend on the host name by which the client reads the record.
  const tagged = environment.hasOtherAddresses ? body.replaceAll(environment.baseUrl, '') : body;
  return { body, etag: recordTag(version, tagged, fields !== undefined) };
}

function linked(record: ShownRecord, shown: Shown): ShownRecord {
  if (shown.texts) return textsOf(shown, shown.texts.language, record);
  if (shown.view) return viewOf(shown, shown.view, record);
  return shown.field === undefined ? itemOf(shown, record) : shownOf(shown, shown.field, record);
}

/** A page of a collection in the form that was chosen. */
export function shownPage(
  request: FastifyRequest,
  route: ModelRoute,
  { records }: Pick<Page, 'records'>,
  extent: PageExtent,
  listQuery: ListQuery,
): object {
  const { fields } = listQuery;
  const { hidden } = request.requestContext.rights;
  const only = (all: readonly ShownRecord[]) => {
    const shown = hidden ? all.map((record) => redacted(record, route.resource, hidden)) : all;
    return fields ? shown.map((record) => onlyFields(record, fields)) : shown;
  };
  if (request.responseType !== LD_TYPE) return only(records);
  const collection = collectionOf(route, request.address.parents, {
    records,
    total: isLowerBound(listQuery, extent.total) ? ESTIMATED_COUNT_MAX : extent.total,
    addresses: pageAddresses(request.url, listQuery, extent),
  });
  return { ...collection, 'hydra:member': only(collection['hydra:member']) };
}

/** A record's texts in those languages that the visitor may know of. */
export function shownTexts(
  request: FastifyRequest,
  target: Target,
  { version, byLanguage }: Translations,
): Representation {
  const known = [...byLanguage].filter(([code]) => request.requestContext.languages.includes(code));
  return represent(request, { record: Object.fromEntries(known), version }, { ...target, texts: {} });
}
