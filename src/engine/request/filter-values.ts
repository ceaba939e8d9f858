/** Parses the values of filters as bind values, or returns a message that says what is expected (http.md §8). */
import { shortened } from '../english-names.ts';
import type { FilterKind, Reading } from '../field.ts';
import { identifierAt } from '../model/addresses.ts';
import { linkedResource, type ModelField, type ModelFilter } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import { isOwnAddress } from '../own-address.ts';
import type { Value } from '../ports.ts';
import { containsPattern, searchKey, trigramsOf } from '../text-forms.ts';
import type { Timestamp } from '../time.ts';
import { formsFor, readTimestampFor } from '../timestamp-forms.ts';
import { linkedParam, trigramParam } from './bind-params.ts';
import { isNumeric, type Neighbors, readNeighbors } from './filter-numbers.ts';
import { type Comparison, operatorsFor } from './operators.ts';
import type { Parameter } from './query-string.ts';
import { addressed } from './references.ts';

/** One filter in use, without its values. A closed set that `sql/conditions.ts` converts to SQL. */
export type FilterUse = { readonly filter: ModelFilter } & (
  | { readonly form: 'equal' | 'list' | 'between' | 'none' }
  /** Not applied. It keeps its place, which bind parameters contain. */
  | { readonly form: 'ignored' }
  /** `hasTrigrams`: every value is long enough for trigrams, which have a bind parameter of their own. */
  | { readonly form: 'partial'; readonly hasTrigrams: boolean }
  | { readonly form: 'links'; readonly by: readonly LinkedBy[] }
  /** Linked to one of the records, or to none. The values are ids. */
  | { readonly form: 'links or none' }
  | { readonly form: 'exists'; readonly wanted: boolean }
  | { readonly form: 'spans'; readonly count: number }
  | { readonly form: 'comparison'; readonly comparison: Comparison }
);

/** How a value names linked records. Each has its own bind parameter, so that one list may mix ids and names. */
export type LinkedBy = 'id' | 'name' | 'sharedName' | 'value';

type Read<T> = { readonly value: T } | { readonly error: string };

/** A filter in use, with its bind values. */
interface ReadFilter {
  readonly use: FilterUse;
  readonly values: Readonly<Record<string, Value>>;
  /** A value is relative to now. */
  readonly isRelative?: boolean;
}

/**
 * Parses one filter: a single value, all values of a list, or a range.
 * @param group the parameters with this name and operator
 * @param param the name of the bind parameter
 */
export function readFilter(
  filter: ModelFilter,
  group: readonly Parameter[],
  param: string,
  reading: Reading,
): Read<ReadFilter> {
  const first = group[0]!;
  const { kind } = filter;
  const isList = first.operator === '';
  if (isList && kind === 'boolean')
    return { error: `"${first.written}" takes one value: "${first.name}=true" or "${first.name}=false".` };
  const isRange = !isList && first.operator !== undefined;
  if (isRange) return readRange(filter, first, param, reading);
  if (kind === 'timestamp') return readSpans(filter, group, param, reading);
  if (isNumeric(kind)) return readNumbers(filter, group, param, reading);
  const { storage } = filter.field;
  if (storage.in === 'link' || storage.in === 'links' || storage.in === 'linked')
    return readLinked(filter, group, param, reading);
  const values: Value[] = [];
  for (const { value, written } of group) {
    const read = readValue(filter, value, written, reading);
    if ('error' in read) return read;
    values.push(read.value);
  }
  if (filter.partial) {
    const trigrams = group.map(({ value }) => trigramsOf(searchKey(value)));
    const hasTrigrams = trigrams.every(({ length }) => length > 0);
    const use = { filter, form: 'partial', hasTrigrams } as const;
    return { value: { use, values: { [param]: values, [trigramParam(param)]: trigrams } } };
  }
  if (isList) return { value: { use: { filter, form: 'list' }, values: { [param]: values } } };
  return { value: { use: { filter, form: 'equal' }, values: { [param]: values[0]! } } };
}

function readLinked(
  filter: ModelFilter,
  group: readonly Parameter[],
  param: string,
  reading: Reading,
): Read<ReadFilter> {
  const values: Record<string, Value[]> = {};
  const by = new Set<LinkedBy>();
  for (const { value, written } of group) {
    const id = filter.kind === 'name' && !filter.linkedField ? addressedId(filter.field, value, reading) : undefined;
    const read = id === undefined ? readValue(filter, value, written, reading) : { value: id };
    if ('error' in read) return read;
    const how = id === undefined ? LINKED_BY[filter.kind]! : 'id';
    by.add(how);
    values[linkedParam(param, how)] ??= [];
    values[linkedParam(param, how)]!.push(read.value);
  }
  return { value: { use: { filter, form: 'links', by: [...by].sort() }, values } };
}

/** The identifier in the address of a possible target of the link. */
function addressedId(field: ModelField, value: string, reading: Reading): Value | undefined {
  return addressed(linkedResource(field), value, reading.baseUrl);
}

function readRange(filter: ModelFilter, parameter: Parameter, param: string, reading: Reading): Read<ReadFilter> {
  const { operator, value, written, name } = parameter;
  const { kind } = filter;
  const offered = operatorsFor(filter);
  if (!(offered as string[]).includes(operator!)) {
    const known = offered.map((each) => `[${each}]`).join(', ');
    const remedy = known === '' ? `Write "${name}=…".` : `Valid operators: ${known}.`;
    return { error: `Unknown operator in "${shortened(written)}". ${remedy}` };
  }
  if (operator === 'exists') {
    const wanted = readFlag(value);
    if (wanted === undefined) return unexpected(written, value, FLAGS);
    return { value: { use: { filter, form: 'exists', wanted }, values: {} } };
  }
  if (operator === 'between') return readBetween(filter, parameter, param, reading);
  const comparison = operator as Comparison;
  if (isNumeric(kind)) return readNumberRange(filter, parameter, param, reading);
  const read = readTime(value, written, reading);
  if ('error' in read) return read;
  const { seconds, isRelative = false } = read.value;
  return { value: { use: { filter, form: 'comparison', comparison }, values: { [param]: seconds }, isRelative } };
}

/** A field that has no value between the neighbors of a number compares like the nearer of the two. */
function readNumberRange(
  filter: ModelFilter,
  { operator, value, written }: Parameter,
  param: string,
  reading: Reading,
): Read<ReadFilter> {
  const read = readNumber(filter, value, written, reading);
  if ('error' in read) return read;
  const { below, above } = read.value;
  const isUp = operator === 'gt' || operator === 'gte';
  const bound = isUp ? above : below;
  if (bound === undefined) return { value: noneOf(filter, param) };
  const comparison = below === above ? (operator as Comparison) : isUp ? 'gte' : 'lte';
  return { value: { use: { filter, form: 'comparison', comparison }, values: { [param]: bound } } };
}

function readNumbers(
  filter: ModelFilter,
  group: readonly Parameter[],
  param: string,
  reading: Reading,
): Read<ReadFilter> {
  const values: number[] = [];
  for (const { value, written } of group) {
    const read = readNumber(filter, value, written, reading);
    if ('error' in read) return read;
    const { below, above } = read.value;
    // No record has a value that the field cannot store.
    if (below !== undefined && below === above) values.push(below);
  }
  const [first] = values;
  if (group[0]!.operator === '' || first === undefined)
    return { value: { use: { filter, form: 'list' }, values: { [param]: values } } };
  return { value: { use: { filter, form: 'equal' }, values: { [param]: first } } };
}

/** A filter that no record matches. */
function noneOf(filter: ModelFilter, param: string): ReadFilter {
  return { use: { filter, form: 'list' }, values: { [param]: [] } };
}

function readNumber(
  { kind, values }: ModelFilter,
  value: string,
  written: string,
  { lenient }: Reading,
): Read<Neighbors> {
  const read = readNeighbors(kind, value, lenient);
  if (typeof read === 'string') return unexpected(written, value, read);
  return values === undefined || values.includes(read.below!)
    ? { value: read }
    : unexpected(written, value, `one of ${values.join(', ')}`);
}

function readBetween(
  filter: ModelFilter,
  { value, written }: Parameter,
  param: string,
  reading: Reading,
): Read<ReadFilter> {
  const [from, to, ...more] = value.split('..');
  if (to === undefined || more.length > 0) return unexpected(written, value, 'two numbers like 5..9');
  const low = readNumber(filter, from!, written, reading);
  const high = readNumber(filter, to, written, reading);
  if ('error' in low) return low;
  if ('error' in high) return high;
  const [least, most] = [low.value.above, high.value.below];
  if (least === undefined || most === undefined) return { value: noneOf(filter, param) };
  return {
    value: { use: { filter, form: 'between' }, values: { [`${param}_from`]: least, [`${param}_to`]: most } },
  };
}

function readSpans(
  filter: ModelFilter,
  group: readonly Parameter[],
  param: string,
  reading: Reading,
): Read<ReadFilter> {
  const values: Record<string, Value> = {};
  let isRelative = false;
  for (const [index, { value, written }] of group.entries()) {
    const read = readTime(value, written, reading);
    if ('error' in read) return read;
    const { seconds, dateOnly, nextDay } = read.value;
    isRelative ||= read.value.isRelative ?? false;
    values[`${param}_${index}_from`] = seconds;
    values[`${param}_${index}_before`] = dateOnly ? nextDay : seconds + 1;
  }
  return { value: { use: { filter, form: 'spans', count: group.length }, values, isRelative } };
}

function readTime(value: string, written: string, reading: Reading): Read<Timestamp> {
  const timestamp = readTimestampFor(reading, withPlusSigns(value));
  return timestamp ? { value: timestamp } : unexpected(written, value, `a valid date-time (${formsFor(reading)})`);
}

/** Restores a "+" before an offset or a distance from now that was decoded as a space, because it was not percent-encoded. */
export function withPlusSigns(date: string): string {
  return date.replace(/(:\d{2}(?:\.\d+)?)( ?) (\d{2}:?\d{2})$/, '$1$2+$3').replace(/^ (?=\d)/, '+');
}

function unexpected(written: string, value: string, expected: string): { readonly error: string } {
  return { error: `"${written}" should be ${expected}; it is "${shortened(value)}".` };
}

function readValue(filter: ModelFilter, value: string, written: string, reading: Reading): Read<Value> {
  const read = readKind(filter, value, written, reading);
  if ('error' in read || filter.values === undefined || filter.values.includes(read.value as string)) return read;
  return unexpected(written, value, `one of ${filter.values.join(', ')}`);
}

function readKind(filter: ModelFilter, value: string, written: string, reading: Reading): Read<Value> {
  const should = (expected: string): Read<Value> => unexpected(written, value, expected);
  switch (filter.kind) {
    case 'boolean': {
      const flag = readFlag(value);
      return flag === undefined ? should(FLAGS) : { value: flag };
    }
    case 'identifier':
      return readIdentity(filter.field, value, reading, should);
    case 'name':
      return readName(filter, value, reading, should);
    case 'sharedName':
      return value === '' ? should('a name') : { value: searchKey(value) };
    case 'string':
      return { value: filter.partial ? containsPattern(value) : withoutAddress(filter.field, value, reading) };
    case 'integer':
    case 'float':
    case 'timestamp':
      throw new Error(`${filter.kind} has a parser of its own`);
  }
}

function readName(
  { field, linkedField }: ModelFilter,
  value: string,
  reading: Reading,
  should: (expected: string) => Read<Value>,
): Read<Value> {
  const target = linkedResource(field);
  if (value === '') return should('a name');
  // Any other address of this store cannot be a target of the link.
  if (!linkedField && isOwnAddress(value, reading.baseUrl)) return should(`a name, or the address of a ${target.name}`);
  return { value: matchOf(target.naming!, value) };
}

function readIdentity(
  field: ModelField,
  value: string,
  reading: Reading,
  should: (expected: string) => Read<Value>,
): Read<Value> {
  const resource = field.isIdentifier ? field.resource : linkedResource(field);
  const text = identifierAt(resource, value, reading.baseUrl) ?? value;
  if (resource.identifier.kind !== 'integer') return text === '' ? should('an identifier') : { value: text };
  const number = parseWholeNumber(text);
  return number === undefined ? should('an id') : { value: number };
}

/** An identifier may be sent as the address of the record. */
function withoutAddress(field: ModelField, value: string, reading: Reading): string {
  return (field.isIdentifier ? identifierAt(field.resource, value, reading.baseUrl) : undefined) ?? value;
}

const FLAGS = 'true, false, 1 or 0';

function readFlag(value: string): boolean | undefined {
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : undefined;
}

/** @returns undefined if the text is not a whole number that a double represents exactly */
export function parseWholeNumber(text: string): number | undefined {
  const number = /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number + 0 : undefined;
}

const LINKED_BY: Readonly<Partial<Record<FilterKind, LinkedBy>>> = {
  identifier: 'id',
  name: 'name',
  sharedName: 'sharedName',
  string: 'value',
};
