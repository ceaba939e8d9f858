/** Parses `fields=id,name` of a read: the fields to show, and the fields to read for them. */
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem } from '../errors.ts';
import type { ShownRecord } from '../field.ts';
import { hintOf, unknownParameter } from '../hints.ts';
import type { ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import { type Parameter, parseQueryString } from './query-string.ts';

export const FIELDS_PARAMETER = 'fields';

/**
 * @param ofList fields that only lists have
 * @returns the fields in the order of output, or an error message
 */
export function readFields(
  { outputs, onRequest }: ModelRoute,
  { value, written }: Parameter,
  ofList: readonly ModelField[] = [],
): readonly ModelField[] | string {
  const all = [...outputs, ...onRequest, ...ofList];
  const named = all.map(({ name, field: { synonyms } }) => ({
    name,
    ...(synonyms ? { synonyms } : {}),
  }));
  const known = named.map(({ name }) => name);
  const wanted = new Set(value.split(',').map((name) => name.trim()));
  for (const name of wanted) {
    if (name === '') return `"${written}" should be field names like ${known.slice(0, 2).join()}; one is empty.`;
    if (!known.includes(name))
      return `Unknown field "${shortened(name)}" in "${written}".${hintOf(name, named, 'fields')}`;
  }
  return all.filter(({ name }) => wanted.has(name));
}

/** Parses the query of a read of one record. Undefined means all fields. */
export function readItemFields(
  route: ModelRoute,
  query: string,
  lenient: boolean,
): readonly ModelField[] | Problem | undefined {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  let fields: readonly ModelField[] | undefined;
  for (const parameter of parameters) {
    const read = readParameter(route, parameter, fields !== undefined);
    if (typeof read !== 'string') fields = read;
    else if (!lenient) return problem('invalid-argument', read);
  }
  return fields;
}

function readParameter(route: ModelRoute, parameter: Parameter, isRepeated: boolean): readonly ModelField[] | string {
  if (parameter.name !== FIELDS_PARAMETER || parameter.operator !== undefined)
    return unknownParameter(parameter.written, [{ name: FIELDS_PARAMETER }]);
  return isRepeated ? REPEATED : readFields(route, parameter);
}

export const REPEATED = `The parameter "${FIELDS_PARAMETER}" is given more than once. Send one with comma-separated names.`;

/**
 * Returns the fields to read in order to show these. They include the fields of the record's address, those that decide
 * what a client sees, and all fields if one is computed from others.
 */
export function fieldsRead(
  { resource, outputs, onRequest }: ModelRoute,
  fields: readonly ModelField[],
): readonly ModelField[] {
  const wanted = onRequest.filter((field) => fields.includes(field));
  if (fields.some(({ field }) => field.complete)) return [...outputs, ...wanted];
  const always = alwaysRead(resource);
  return [...outputs.filter((field) => fields.includes(field) || always.has(field)), ...wanted];
}

function alwaysRead({ fields, identifierField, routes, declaration }: ModelResource): ReadonlySet<ModelField> {
  const named = routes.flatMap(({ item, parents, fixed }) => [
    item,
    ...parents.map(({ field }) => field),
    ...fixed.keys(),
  ]);
  const followed = declaration.follows?.events.map((name) => fields.get(name)) ?? [];
  return new Set([fields.get(identifierField)!, ...[...named, ...followed].filter((field) => field !== undefined)]);
}

/** The record with these fields only. Members of JSON-LD (`@…`) remain. */
export function onlyFields(record: ShownRecord, fields: readonly ModelField[]): ShownRecord {
  const names = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => name.startsWith('@') || names.has(name)));
}
