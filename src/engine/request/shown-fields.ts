/** `fields=id,name` on a read: which fields the answer shows, and which ones are read for it. */
import { closest } from 'fastest-levenshtein';
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem } from '../errors.ts';
import type { ShownRecord } from '../field.ts';
import type { ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import { type Parameter, parseQueryString } from './query-string.ts';

export const FIELDS_PARAMETER = 'fields';

/** The fields in the order of output, or the sentence that refuses them. */
export function readFields(
  { outputs, asked }: ModelRoute,
  { value, written }: Parameter,
): readonly ModelField[] | string {
  const known = [...outputs, ...asked].map(({ name }) => name);
  const wanted = new Set(value.split(',').map((name) => name.trim()));
  for (const name of wanted) {
    if (name === '') return `"${written}" should be names of fields like ${known.slice(0, 2).join()}; one is empty.`;
    if (!known.includes(name))
      return `Unknown field "${shortened(name)}" in "${written}"; the nearest that exists is "${closest(shortened(name), known)}".`;
  }
  return [...outputs, ...asked].filter(({ name }) => wanted.has(name));
}

/** Reads which fields the query of one record asks for; undefined is all of them. */
export function readItemFields(
  route: ModelRoute,
  query: string,
  lenient: boolean,
): readonly ModelField[] | Problem | undefined {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  let fields: readonly ModelField[] | undefined;
  for (const parameter of parameters) {
    const read = takeParameter(route, parameter, fields !== undefined);
    if (typeof read !== 'string') fields = read;
    else if (!lenient) return problem('invalid-argument', read);
  }
  return fields;
}

function takeParameter(route: ModelRoute, parameter: Parameter, isRepeated: boolean): readonly ModelField[] | string {
  if (parameter.name !== FIELDS_PARAMETER || parameter.operator !== undefined)
    return `Unknown parameter "${shortened(parameter.written)}": this path takes none but "${FIELDS_PARAMETER}".`;
  return isRepeated ? REPEATED : readFields(route, parameter);
}

export const REPEATED = `The parameter "${FIELDS_PARAMETER}" stands more than once; write the names with commas between them.`;

/**
 * The fields to read in order to show these. The fields of the record's address are among them, and all fields where
 * one is made from others.
 */
export function fieldsRead(
  { resource, outputs, asked }: ModelRoute,
  fields: readonly ModelField[],
): readonly ModelField[] {
  const wanted = asked.filter((field) => fields.includes(field));
  if (fields.some(({ field }) => field.complete)) return [...outputs, ...wanted];
  const inAddress = addressFields(resource);
  return [...outputs.filter((field) => fields.includes(field) || inAddress.has(field)), ...wanted];
}

function addressFields({ fields, identifierField, routes }: ModelResource): ReadonlySet<ModelField> {
  const named = routes.flatMap(({ item, parents, fixed }) => [
    item,
    ...parents.map(({ field }) => field),
    ...fixed.keys(),
  ]);
  return new Set([fields.get(identifierField)!, ...named.filter((field) => field !== undefined)]);
}

/** The record with these fields only; what JSON-LD has beside fields stays. */
export function onlyFields(record: ShownRecord, fields: readonly ModelField[]): ShownRecord {
  const names = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => name.startsWith('@') || names.has(name)));
}
