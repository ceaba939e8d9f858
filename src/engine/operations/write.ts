/**
 * What creating, replacing, patching and acting have in common once the record is there: derive, look up, check, save. A
 * refused write changes nothing.
 */
import { type Body, writtenFields } from '../body.ts';
import { type Problem, problem, Violations, validationFailed } from '../errors.ts';
import type { ModelField, ModelResource } from '../model.ts';
import type { Transaction, Value } from '../ports.ts';
import type { Draft, Records } from '../resource.ts';
import type { Found, Request, Service } from '../service.ts';
import type { Before } from './before.ts';
import { checkFixed, checkReadOnly, checkReadOnlyOfNew, checkSiblings, checkUnique, findSame } from './checks.ts';
import { resolveLinks } from './links.ts';
import { deriveParts } from './parts.ts';
import { keepPictures, type Prepared } from './pictures.ts';
import { readRecord } from './read.ts';
import { createRecords } from './records.ts';
import { changesOf, saveChanges, saveNew, saveSent } from './save.ts';
import { type Run, runIn } from './stored.ts';

export type Written = Found | Problem;

/** The outcome of a transaction: what to answer, and the files that rows no longer name. */
export interface Outcome {
  readonly answer: Written;
  readonly released: readonly string[];
}

export const refused = (answer: Problem): Outcome => ({ answer, released: [] });

/** Everything between a readable body and a saved record. */
export interface Write {
  readonly service: Service;
  readonly request: Request;
  readonly transaction: Transaction;
  readonly run: Run;
  readonly body: Body;
  readonly before: Before | undefined;
  readonly prepared: Prepared;
  readonly draft: Draft;
  /** What rules ask of the store, at the draft's moment. */
  readonly records: Records;
}

export function startWrite(
  service: Service,
  request: Request,
  transaction: Transaction,
  body: Body,
  before: Before | undefined,
  operation: Draft['operation'],
  prepared: Prepared,
): Write {
  const now = service.clock.now();
  const draft: Draft = {
    operation,
    sent: body.sent,
    values: initialValues(request, body, operation, before),
    literal: new Set(),
    stored: before?.stored,
    shown: before?.found.record,
    picture: prepared.own,
    language: request.language,
    defaultLanguage: request.defaultLanguage,
    now,
    settings: service.world.settings,
    visitor: request.visitor,
    past: request.past ?? false,
    lenient: request.lenient,
    // The transaction may run again: each run collects on its own, beginning with what the body broke.
    violations: new Violations(body.violations.list),
    conflicts: [],
  };
  const run = runIn(transaction);
  const records = createRecords(service, run, request.language, (name) => transaction.lock(name), now);
  return { service, request, transaction, run, body, before, prepared, draft, records };
}

/** What is sent, for what a whole record leaves out its default (http.md §9), and what the path says of a new one. */
function initialValues(
  request: Request,
  body: Body,
  operation: Draft['operation'],
  before: Before | undefined,
): Record<string, Value> {
  const { place, parents, keepsLeftOut, past = false } = request;
  if (operation === 'action') return {};
  const values = { ...body.sent };
  for (const field of place.fields.values()) {
    const sent = values[field.name];
    const stored = operation === 'patch' ? before?.stored[field.name] : null;
    if (sent !== undefined && field.field.merge) values[field.name] = field.field.merge(stored ?? null, sent);
  }
  if (operation === 'patch' || (operation === 'replace' && keepsLeftOut)) return values;
  for (const field of writtenFields(place, operation, past)) {
    if (field.field.required || body.mentioned.has(field.name)) continue;
    if (operation === 'replace' && field.field.kept) continue;
    if (field.storage.in !== 'nothing') values[field.name] = field.field.default;
  }
  if (operation !== 'create') return values;
  for (const [index, { field }] of place.parents.entries()) if (field) values[field.name] = parents[index]!;
  for (const [field, value] of place.fixed) values[field.name] = value;
  return values;
}

/** Derives, checks and saves; gives the record as it is then. Nothing is written before the last check has passed. */
export async function finishWrite(write: Write): Promise<Outcome> {
  const { service, request, transaction, run, before, draft, records } = write;
  const { place } = request;
  const { resource } = place;
  const rules = resource.declaration.rules;
  checkFixed(write);
  if (draft.operation !== 'create') checkReadOnly(write);
  await rules?.derive?.(draft, records);
  await deriveParts(write);
  await resolveLinks(write);
  if (request.unknownLanguage && makesNames(write)) return refused(request.unknownLanguage);
  await checkUnique(write);
  if (!before) await checkSiblings(write);
  const same = await findSame(write);
  await rules?.check?.(draft, records);
  if (draft.operation === 'create') checkReadOnlyOfNew(write);
  if (draft.violations.list.length > 0) return refused(validationFailed(draft.violations.list));
  const [conflict] = draft.conflicts;
  if (conflict !== undefined) return refused(problem('conflict', conflict));
  const { again } = place.declaration;
  if (same !== undefined && again === 'conflict')
    return refused(problem('conflict', `There is a ${resource.name} here already; change it with PUT or PATCH.`));
  await keepPictures(service, transaction, write.prepared);
  const released: string[] = [];
  let id = before?.id ?? same;
  const changes = before ? changesOf(write) : undefined;
  if (before && changes && changes.size > 0) {
    await saveChanges(write, before.id, changes);
    released.push(...releasedFiles(resource, before.stored, changes));
  } else if (id === undefined) {
    id = await saveNew(write);
  } else if (!before) {
    await saveSent(write, id);
  }
  if (!changes || changes.size > 0) await rules?.within?.(draft, records, id!);
  const found = (await readRecord(
    service,
    place.declaration.answersOwner && draft.operation === 'create' ? ownerRequest(request) : written(write, id!),
    run,
  ))!;
  await request.alongside?.(transaction, found);
  return { answer: found, released };
}

/** Whether a link names a record that is still to be made. */
function makesNames({ request, draft }: Write): boolean {
  return [...request.place.resource.fields.values()].some(({ storage, name }) => {
    if (storage.in !== 'links' || !storage.made) return false;
    const linked = draft.values[name];
    return Array.isArray(linked) && linked.some((one) => typeof one === 'object');
  });
}

/** The request for the record that was written: a new one has its own parameter now. */
function written({ request, before, draft }: Write, id: Value): Request {
  const { item, resource } = request.place;
  if (before || !item) return request;
  return { ...request, id: item.name === resource.identifierField ? id : draft.values[item.name]! };
}

/** The request for the record that the written one is part of. */
function ownerRequest(request: Request): Request {
  const index = request.place.parents.findIndex(({ field }) => field === request.place.resource.owner);
  const { at } = request.place.parents[index]!;
  return { ...request, place: at!, parents: request.parents.slice(0, index), id: request.parents[index]! };
}

function releasedFiles(
  resource: ModelResource,
  stored: Record<string, Value>,
  changes: ReadonlyMap<ModelField, Value>,
): string[] {
  return [...resource.fields.values()]
    .filter((field) => field.field.file && changes.has(field))
    .map(({ name }) => stored[name] as string);
}
