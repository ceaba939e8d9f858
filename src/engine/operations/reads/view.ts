/** Reads a view of one record (`/categories/{id}/stats`), together with the record's version. */

import { words } from '../../english-names.ts';
import { isProblem, type Problem, problem } from '../../errors.ts';
import type { Environment, Field, ShownRecord } from '../../field.ts';
import type { Value } from '../../ports.ts';
import type { View } from '../../rules.ts';
import { type Reads, searching } from '../../unit/reads.ts';
import { type RequestOptions, type Service, serviceIn, type Target, type Versioned } from '../../unit/service.ts';
import { read } from '../read.ts';

/**
 * Reads a view.
 *
 * @param parameters - values of the query parameters, by name
 * @returns the output of the view, or the record with only the field that the view shows
 */
export async function view(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  declared: View,
  parameters: Readonly<Record<string, Value>> = {},
): Promise<Versioned | Problem> {
  if ('shows' in declared) return read(service, requestOptions, showing(target, declared.shows));
  const readIn = (inside: Service) => readView(inside, requestOptions, target, declared, parameters);
  return declared.isInSnapshot ? service.database.snapshot((run) => readIn(serviceIn(service, run))) : readIn(service);
}

async function readView(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  declared: Exclude<View, { readonly shows: string }>,
  parameters: Readonly<Record<string, Value>>,
): Promise<Versioned | Problem> {
  const { identifierField } = target.route.resource;
  const found = await read(service, requestOptions, showing(target, identifierField));
  if (isProblem(found)) return found;
  const id = found.record[identifierField]!;
  const reads = searching(service, requestOptions);
  const unknown = await unknownReference(declared.parameters ?? {}, parameters, reads);
  if (unknown) return unknown;
  const { language, defaultLanguage } = requestOptions;
  const { environment, clock } = service;
  const now = clock.now();
  const context = { parameters, environment, language, defaultLanguage, now, pause: () => clock.pause(0) };
  const record = await declared.read(id, reads, context);
  if (isProblem(record)) return record;
  const shown = declared.isList ? shownMembers(declared.output, record as readonly ShownRecord[], environment) : record;
  // A list is represented like a record without selected fields.
  return { record: shown as ShownRecord, version: found.version };
}

function shownMembers(
  output: Readonly<Record<string, Field>>,
  members: readonly ShownRecord[],
  environment: Environment,
): ShownRecord[] {
  const shown = (name: string, value: Value): Value => output[name]!.show?.(value, environment) ?? value;
  return members.map((member) =>
    Object.fromEntries(Object.entries(member).map(([name, value]) => [name, shown(name, value)])),
  );
}

/**
 * Returns a problem if a parameter refers to a record that does not exist.
 * @param nameOf returns the name of a parameter in the query
 */
export async function unknownReference(
  fields: Readonly<Record<string, Field>>,
  parameters: Readonly<Record<string, Value>>,
  reads: Reads,
  nameOf = (name: string): string => name,
): Promise<Problem | undefined> {
  for (const [name, { storage }] of Object.entries(fields)) {
    const id = parameters[name] ?? null;
    if (storage.in !== 'link' || id === null || (await reads.read(storage.to, id))) continue;
    return problem(
      'invalid-argument',
      `"${nameOf(name)}" is ${id}, but there is no ${words(storage.to)} with this id.`,
    );
  }
  return undefined;
}

/** The same record, reduced to this field. */
export function showing(target: Target, field: string | undefined): Target {
  return field === undefined ? target : { ...target, fields: [target.route.resource.fields.get(field)!] };
}
