/** Reads one record: one statement; a second one only to tell an unknown record from an unknown parent. */

import * as commands from '../commands.ts';
import { type Problem, problem } from '../errors.ts';
import type { ModelPlace } from '../model.ts';
import { words } from '../openapi/words.ts';
import type { Value } from '../ports.ts';
import { recordQuery } from '../query.ts';
import { shortened } from '../query-string.ts';
import {
  type Found,
  languageMode,
  parentValues,
  queryContext,
  type Request,
  readOf,
  type Service,
} from '../service.ts';
import { createRecords, lockNothing } from './records.ts';
import type { Run } from './stored.ts';

export async function read(service: Service, request: Request): Promise<Found | Problem> {
  return readCommitted(service, request, (run) => readRecord(service, request, run));
}

/** What is found of the record, or why there is none. */
export async function readCommitted<T>(
  service: Service,
  request: Request,
  find: (run: Run) => Promise<T | undefined>,
): Promise<T | Problem> {
  const run: Run = (statement, values) => service.database.query(statement, values);
  const asksRule = request.place.declaration.admits !== undefined;
  const unfit = asksRule ? await unknownParent(service, request, run) : undefined;
  const found = unfit ?? (await find(run));
  if (found) return found;
  return (await unknownParent(service, request, run)) ?? notFound(request);
}

/** The record as the request's format shows it, or undefined when there is none. */
export async function readRecord(service: Service, request: Request, run: Run): Promise<Found | undefined> {
  const { place } = request;
  const mode = languageMode(request);
  const { name, selection, statements } = readOf(service, place, mode, request.fields);
  const statement = statements.get(`record ${name}`, () => recordQuery(place, selection, queryContext(service, mode)));
  const [row] = await run(statement, {
    ...parentValues(request),
    id: request.id ?? null,
    language: request.language,
    default_language: request.defaultLanguage,
  });
  if (!row) return undefined;
  const record = selection.record(row, request);
  const version = Number(row[selection.expressions.length]);
  return { record, version, ...request.represent(record, version, request) };
}

/** The refusal for the first parent that does not exist, if one does not. */
export async function unknownParent(service: Service, request: Request, run: Run): Promise<Problem | undefined> {
  const { place, parents } = request;
  for (const index of place.parents.keys()) {
    const statement = service.statements.get(`parent ${place.path} ${index}`, commands.parentExists(place, index));
    const rows = await run(statement, { ...parentValues(request), id: parents[index]! });
    if (rows.length === 0) return parentProblem(place, index, parents);
  }
  return misplaced(service, request, run);
}

/** The refusal for parents that exist and do not belong together. */
export async function misplaced(service: Service, request: Request, run: Run): Promise<Problem | undefined> {
  const { place, parents } = request;
  const { admits } = place.declaration;
  if (!admits) return undefined;
  const ids = Object.fromEntries(place.parents.map(({ parameter }, index) => [parameter, parents[index]!]));
  const admitted = await admits(ids, createRecords(service, run, request.language, lockNothing));
  return admitted ? undefined : parentProblem(place, place.parents.length - 1, parents);
}

export function notFound({ place, id }: Pick<Request, 'place' | 'id'>): Problem {
  const which = place.item ? ` with the identifier ${JSON.stringify(id)}` : '';
  return problem('not-found', `There is no ${place.resource.name}${which} here.`);
}

/**
 * What the path's parent that cannot be read or does not exist is, by the place's own rule.
 * @param named the path's parameters as far as this one, as they were sent
 */
export function parentProblem(place: ModelPlace, index: number, named: readonly Value[]): Problem {
  const { parameter, target } = place.parents[index]!;
  let taken = 0;
  const path = place.path
    .slice(0, place.path.indexOf(`{${parameter}}`) + parameter.length + 2)
    .replace(/\{\w+\}/g, () => shortened(String(named[taken++])));
  return problem(
    place.unknownParent,
    `There is no ${words(target.name)} at ${path}, which the path begins with: ${JSON.stringify(named[index])} should be the ${target.identifierField} of one that exists there.`,
  );
}
