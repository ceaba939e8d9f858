/**
 * What a write finds inside its transaction, in the order of http.md §2: its turn, the parents, the record, `If-Match`,
 * `If-None-Match`. What it finds stays so until the transaction ends.
 */
import * as commands from '../commands.ts';
import { type Problem, problem } from '../errors.ts';
import type { Transaction, Value } from '../ports.ts';
import { type Found, parentValues, type Request, type Service } from '../service.ts';
import { namesTag, readTags } from '../tags.ts';
import { misplaced, notFound, parentProblem, readRecord } from './read.ts';
import { type Run, readStored, runIn } from './stored.ts';

/** A record as it was before a write. */
export interface Before {
  readonly id: Value;
  readonly stored: Record<string, Value>;
  readonly found: Found;
}

/**
 * Locks the parents, so that they stay while the record is written. Every write takes its turn first, where the resource's
 * writes take turns, then parents, then the record: changes of a tree wait for each other, so none is checked against a
 * shape that another is changing.
 */
export async function lockParents(
  service: Service,
  request: Request,
  transaction: Transaction,
): Promise<Problem | undefined> {
  const { place, parents } = request;
  const run = runIn(transaction);
  const { name, tree, declaration } = place.resource;
  const ended = await request.first?.(transaction);
  if (ended) return ended;
  const gone = await deletedLanguage(service, request, run);
  if (gone) return gone;
  if (tree || declaration.takesTurns) await transaction.lock(`writes of ${name}`);
  for (const index of place.parents.keys()) {
    const lock = service.statements.get(`lock parent ${place.path} ${index}`, commands.lockParent(place, index));
    const rows = await run(lock, { ...parentValues(request), id: parents[index]! });
    if (rows.length === 0) return parentProblem(place, index, parents);
  }
  return misplaced(service, request, run);
}

/** The request's language was there at the door; a text cannot be written in one that was deleted since. */
async function deletedLanguage(
  service: Service,
  { language, defaultLanguage }: Request,
  run: Run,
): Promise<Problem | undefined> {
  const languages = service.model.resources.get('Language');
  if (!languages || language === defaultLanguage) return undefined;
  const exists = service.statements.get('ids Language', commands.findIds(languages));
  if ((await run(exists, { ids: [language] })).length > 0) return undefined;
  return problem('service-unavailable', `The language ${language} was deleted just now; send the request again.`, {
    'retry-after': '1',
  });
}

/** The record of the path, locked and read, once its parents and the conditions are right. */
export async function readBefore(
  service: Service,
  request: Request,
  transaction: Transaction,
): Promise<Before | Problem> {
  const unknown = await lockParents(service, request, transaction);
  if (unknown) return unknown;
  const before = await readExisting(service, request, transaction);
  if (!before) return notFound(request);
  return checkConditions(request, before.found) ?? before;
}

/** The record of the path, locked and read, if there is one. */
export async function readExisting(
  service: Service,
  request: Request,
  transaction: Transaction,
): Promise<Before | undefined> {
  const run = runIn(transaction);
  const id = await lockRecord(service, request, run);
  const found = id === undefined ? undefined : await readRecord(service, request, run);
  if (id === undefined || !found) return undefined;
  const stored = await readStored(service, request.place.resource, id, request.language, run);
  return stored && { id, stored, found };
}

/** The identifier of the record that the path means, if there is one. */
async function lockRecord(service: Service, request: Request, run: Run): Promise<Value | undefined> {
  const { place } = request;
  const lock = service.statements.get(`lock ${place.path}`, commands.lockRecord(place));
  const [row] = await run(lock, { ...parentValues(request), id: request.id ?? null });
  return row?.[0] as Value | undefined;
}

/**
 * What the client asks of the record as a GET would show it now: If-Match that it is one of these, then If-None-Match that
 * it is none of them (http.md §10, RFC 9110 §13.2.2).
 */
export function checkConditions(
  { ifMatch, ifNoneMatch }: Pick<Request, 'ifMatch' | 'ifNoneMatch'>,
  { etag, version }: Found,
): Problem | undefined {
  const isThis = (tag: string): boolean => tag === etag || isOfSomeFields(tag, version);
  const matches = ifMatch === undefined || ifMatch.trim() === '*' || readTags(ifMatch).some(isThis);
  if (!matches)
    return failed(etag, `The record is now ${etag}; read it again and repeat the change on what it is now.`);
  if (namesTag(ifNoneMatch, etag))
    return failed(etag, `The record is there, as ${etag}, and If-None-Match asks that it is not.`);
  return undefined;
}

function failed(etag: string, detail: string): Problem {
  return problem('precondition-failed', detail, { etag });
}

/** A tag of some fields (`"<version>-f.<digest>"`) says nothing of the others but the version. */
function isOfSomeFields(tag: string, version: number): boolean {
  return /^"(\d+)-f\.[^"]*"$/.exec(tag)?.[1] === String(version);
}
