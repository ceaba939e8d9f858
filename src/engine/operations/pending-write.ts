/** The state of a write in progress, from the parsed body to the saved record. */

import { Violations } from '../errors.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import { isSameAtAnyHost } from '../own-address.ts';
import type { Value } from '../ports.ts';
import { type Body, writtenFields } from '../request/body.ts';
import type { Draft, Stored } from '../rules.ts';
import type { RequestOptions, Target } from '../unit/service.ts';
import type { Unit } from '../unit/unit.ts';
import { guardedRecord } from './guarded-record.ts';
import type { Prepared } from './images/images.ts';
import type { Before } from './read.ts';

export interface PendingWrite {
  readonly unit: Unit;
  readonly target: Target;
  readonly body: Body;
  readonly before: Before | undefined;
  readonly prepared: Prepared;
  readonly draft: Draft;
  /** The draft for the rules of the record, which may not read every stored value. */
  readonly ruleDraft: Draft;
}

export function startWrite(
  given: Omit<PendingWrite, 'draft' | 'ruleDraft'>,
  operation: Draft['operation'],
): PendingWrite {
  const { unit, target, body, before, prepared } = given;
  const { requestOptions, service, now } = unit;
  const draft: Draft = {
    operation,
    sent: body.sent,
    values: initialValues(requestOptions, target, body, operation, before),
    literal: new Set(),
    stored: before?.stored,
    shown: before?.record,
    file: prepared.own,
    language: requestOptions.language,
    defaultLanguage: requestOptions.defaultLanguage,
    now,
    environment: service.environment,
    actor: requestOptions.actor,
    past: requestOptions.past ?? false,
    lenient: requestOptions.lenient,
    quote: requestOptions.quote,
    // The transaction may run again: each run collects its own violations, starting with those of the body.
    violations: new Violations(body.violations.list),
    conflicts: [],
  };
  const { resource } = target.route;
  const ruleDraft: Draft = requestOptions.rejectReading
    ? {
        ...draft,
        stored: guardedRecord(draft.stored, resource, requestOptions),
        shown: guardedRecord(draft.shown, resource, requestOptions),
      }
    : draft;
  return { ...given, draft, ruleDraft };
}

/**
 * The sent values, defaults of fields that a complete record omits (http.md §9), and values that the path gives to a
 * new record.
 */
function initialValues(
  requestOptions: RequestOptions,
  { route, parents }: Target,
  body: Body,
  operation: Draft['operation'],
  before: Before | undefined,
): Record<string, Value> {
  const { preservesOmitted } = requestOptions;
  if (operation === 'action') return {};
  const values = { ...body.sent };
  // Copied, because rules change parts and the transaction may run again.
  for (const [{ name }] of body.parts) values[name] = (values[name] as Stored[]).map((part) => ({ ...part }));
  for (const field of route.fields.values()) {
    const sent = values[field.name];
    const stored = operation === 'patch' ? before?.stored[field.name] : null;
    if (sent !== undefined && field.field.merge) values[field.name] = field.field.merge(stored ?? null, sent);
  }
  if (operation === 'patch' || (operation === 'replace' && preservesOmitted)) return values;
  Object.assign(values, defaultsOfOmitted(requestOptions, route, body, operation));
  if (operation !== 'create') return values;
  for (const [index, { field }] of route.parents.entries()) if (field) values[field.name] = parents[index]!;
  for (const [field, value] of route.fixed) values[field.name] = value;
  return values;
}

function defaultsOfOmitted(
  { preserves, past = false }: RequestOptions,
  route: Target['route'],
  body: Body,
  operation: 'create' | 'replace',
): Record<string, Value> {
  const defaults: Record<string, Value> = {};
  for (const field of writtenFields(route, operation, past)) {
    if (field.field.required || body.mentioned.has(field.name)) continue;
    if (operation === 'replace' && field.field.preservedOnReplace) continue;
    if (operation === 'replace' && preserves?.(field)) continue;
    if (field.storage.in !== 'nothing') defaults[field.name] = field.field.default;
  }
  return defaults;
}

/** The fields whose stored value the draft changes. A value that output shows without it being stored is no change. */
export function changesOf(resource: ModelResource, draft: Draft): ReadonlyMap<string, Value> {
  const changes = new Map<string, Value>();
  for (const field of resource.fields.values()) {
    const value = draft.values[field.name];
    if (value !== undefined && isStored(field) && isChange(draft, field, value)) changes.set(field.name, value);
  }
  return changes;
}

/** Whether the field is stored in the record itself. */
function isStored({ storage }: ModelField): boolean {
  return storage.in === 'column' || storage.in === 'translation' || storage.in === 'link' || storage.in === 'links';
}

/** Whether storing the value changes the record: it differs from the stored value and from derived output. */
export function isChange(draft: Draft, field: ModelField, value: Value): boolean {
  const { stored, shown, literal } = draft;
  if (isSame(value, stored![field.name])) return false;
  if (field.storage.in !== 'translation' || literal.has(field.name)) return true;
  return value !== shown![field.name] && !isDerived(draft, field, value);
}

/** Whether a text is the derived output of an unset field, read under another host of the store. */
function isDerived({ stored, shown, environment }: Draft, { name, field }: ModelField, value: Value): boolean {
  if (!field.complete || !environment.hasOtherAddresses || stored![name]) return false;
  return typeof value === 'string' && isSameAtAnyHost(value, shown![name] as string);
}

export function isSame(one: Value, other: Value | undefined): boolean {
  const isStructure = typeof one === 'object' && one !== null;
  return one === other || (isStructure && JSON.stringify(one) === JSON.stringify(other));
}
