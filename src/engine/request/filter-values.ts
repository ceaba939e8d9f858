/** Parses the values of filters as bind values, or returns a message that says what is expected (http.md §8). */
import { shortened } from '../english-names.ts';
import type { Environment, FilterKind } from '../field.ts';
import { DECIMAL_MAX, DECIMAL_PLACES, hasFewDecimals } from '../fields/number.ts';
import { DATE_TIME_FORMS } from '../fields/timestamp.ts';
import { identifierAt } from '../model/addresses.ts';
import { linkedResource, type ModelField, type ModelFilter } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import { isOwnAddress } from '../own-address.ts';
import type { Value } from '../ports.ts';
import { containsPattern, searchKey, trigramsOf } from '../text-forms.ts';
import { readTimestamp } from '../time.ts';
import { linkedParam, trigramParam } from './bind-params.ts';
import { type Comparison, operatorsFor } from './operators.ts';
import type { Parameter } from './query-string.ts';
import { addressed } from './references.ts';

/** One filter in use, without its values. A closed set that `sql/conditions.ts` converts to SQL. */
export type FilterUse = { readonly filter: ModelFilter } & (
  | { readonly form: 'equal' | 'list' | 'between' | 'none' }
  /** `hasTrigrams`: every value is long enough for trigrams, which have a bind parameter of their own. */
  | { readonly form: 'partial'; readonly hasTrigrams: boolean }
  | { readonly form: 'links'; readonly by: readonly LinkedBy[] }
  | { readonly form: 'exists'; readonly wanted: boolean }
  | { readonly form: 'spans'; readonly count: number }
  | { readonly form: 'comparison'; readonly comparison: Comparison }
);

/** How a value names linked records. Each has its own bind parameter, so that one list may mix ids and names. */
export type LinkedBy = 'id' | 'name' | 'sharedName' | 'value';

type Read<T> = { readonly value: T } | { readonly error: string };

/** A filter in use, with its bind values. */
export interface ReadFilter {
  readonly use: FilterUse;
  readonly values: Readonly<Record<string, Value>>;
}

const LIST_VALUES_MAX = 100;

/**
 * Parses one filter: a single value, all values of a list, or a range.
 * @param group the parameters with this name and operator
 * @param param the name of the bind parameter
 */
export function readFilter(
  filter: ModelFilter,
  group: readonly Parameter[],
  param: string,
  environment: Environment,
): Read<ReadFilter> {
  const first = group[0]!;
  const { kind } = filter;
  const isList = first.operator === '';
  if (group.length > LIST_VALUES_MAX)
    return {
      error: `The list "${shortened(first.name)}" has ${group.length} values. The maximum is ${LIST_VALUES_MAX}.`,
    };
  if (isList && kind === 'boolean')
    return { error: `"${first.written}" takes one value: "${first.name}=true" or "${first.name}=false".` };
  const isRange = !isList && first.operator !== undefined;
  if (isRange) return readRange(filter, first, param, environment);
  if (kind === 'timestamp') return readSpans(filter, group, param, environment);
  const { storage } = filter.field;
  if (storage.in === 'link' || storage.in === 'links' || storage.in === 'linked')
    return readLinked(filter, group, param, environment);
  const values: Value[] = [];
  for (const { value, written } of group) {
    const read = readValue(filter, value, written, environment);
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
  environment: Environment,
): Read<ReadFilter> {
  const values: Record<string, Value[]> = {};
  const by = new Set<LinkedBy>();
  for (const { value, written } of group) {
    const id =
      filter.kind === 'name' && !filter.linkedField ? addressedId(filter.field, value, environment) : undefined;
    const read = id === undefined ? readValue(filter, value, written, environment) : { value: id };
    if ('error' in read) return read;
    const how = id === undefined ? LINKED_BY[filter.kind]! : 'id';
    by.add(how);
    values[linkedParam(param, how)] ??= [];
    values[linkedParam(param, how)]!.push(read.value);
  }
  return { value: { use: { filter, form: 'links', by: [...by].sort() }, values } };
}

/** The identifier in the address of a possible target of the link. */
function addressedId(field: ModelField, value: string, environment: Environment): Value | undefined {
  return addressed(linkedResource(field), value, environment.baseUrl);
}

function readRange(
  filter: ModelFilter,
  parameter: Parameter,
  param: string,
  environment: Environment,
): Read<ReadFilter> {
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
    if (wanted === undefined) return { error: `"${written}" should be ${FLAGS}; it is "${shortened(value)}".` };
    return { value: { use: { filter, form: 'exists', wanted }, values: {} } };
  }
  if (operator === 'between') return readBetween(filter, parameter, param, environment);
  const read =
    kind === 'timestamp' ? readTime(value, written, environment) : readValue(filter, value, written, environment);
  if ('error' in read) return read;
  const bound =
    typeof read.value === 'object' && read.value !== null && 'seconds' in read.value ? read.value.seconds : read.value;
  return {
    value: {
      use: { filter, form: 'comparison', comparison: operator as Comparison },
      values: { [param]: bound as Value },
    },
  };
}

function readBetween(
  filter: ModelFilter,
  { value, written }: Parameter,
  param: string,
  environment: Environment,
): Read<ReadFilter> {
  const [from, to, ...more] = value.split('..');
  if (to === undefined || more.length > 0)
    return { error: `"${written}" should be two numbers like 5..9; it is "${shortened(value)}".` };
  const low = readValue(filter, from!, written, environment);
  const high = readValue(filter, to, written, environment);
  if ('error' in low) return low;
  if ('error' in high) return high;
  return {
    value: {
      use: { filter, form: 'between' },
      values: { [`${param}_from`]: low.value, [`${param}_to`]: high.value },
    },
  };
}

function readSpans(
  filter: ModelFilter,
  group: readonly Parameter[],
  param: string,
  environment: Environment,
): Read<ReadFilter> {
  const values: Record<string, Value> = {};
  for (const [index, { value, written }] of group.entries()) {
    const read = readTime(value, written, environment);
    if ('error' in read) return read;
    const { seconds, dateOnly, nextDay } = read.value;
    values[`${param}_${index}_from`] = seconds;
    values[`${param}_${index}_before`] = dateOnly ? nextDay : seconds + 1;
  }
  return { value: { use: { filter, form: 'spans', count: group.length }, values } };
}

function readTime(
  value: string,
  written: string,
  environment: Environment,
): Read<NonNullable<ReturnType<typeof readTimestamp>>> {
  // A "+" before the offset that was not percent-encoded was decoded as a space.
  const timestamp = readTimestamp(value.replace(/(:\d{2}(?:\.\d+)?) (\d{2}:?\d{2})$/, '$1+$2'), environment.timeZone);
  return timestamp
    ? { value: timestamp }
    : {
        error: `"${written}" should be a valid date-time (${DATE_TIME_FORMS}); it is "${shortened(value)}".`,
      };
}

function readValue(filter: ModelFilter, value: string, written: string, environment: Environment): Read<Value> {
  const read = readKind(filter, value, written, environment);
  if ('error' in read || filter.values === undefined || filter.values.includes(read.value as string)) return read;
  return { error: `"${written}" should be one of ${filter.values.join(', ')}; it is "${shortened(value)}".` };
}

function readKind(filter: ModelFilter, value: string, written: string, environment: Environment): Read<Value> {
  const should = (what: string): Read<Value> => ({
    error: `"${written}" should be ${what}; it is "${shortened(value)}".`,
  });
  switch (filter.kind) {
    case 'boolean': {
      const flag = readFlag(value);
      return flag === undefined ? should(FLAGS) : { value: flag };
    }
    case 'integer': {
      const number = parseWholeNumber(value);
      return number === undefined ? should('a whole number') : { value: number };
    }
    case 'float': {
      const number = parseDecimal(value);
      return number === undefined ? should(`a number with at most ${DECIMAL_PLACES} decimals`) : { value: number };
    }
    case 'identifier':
      return readIdentity(filter.field, value, environment, should);
    case 'name':
      return readName(filter, value, environment, should);
    case 'sharedName':
      return value === '' ? should('a name') : { value: searchKey(value) };
    case 'string':
      return { value: filter.partial ? containsPattern(value) : withoutAddress(filter.field, value, environment) };
    case 'timestamp':
      throw new Error('timestamps are read as spans');
  }
}

function readName(
  { field, linkedField }: ModelFilter,
  value: string,
  environment: Environment,
  should: (what: string) => Read<Value>,
): Read<Value> {
  const target = linkedResource(field);
  if (value === '') return should('a name');
  // Any other address of this store cannot be a target of the link.
  if (!linkedField && isOwnAddress(value, environment.baseUrl))
    return should(`a name, or the address of a ${target.name}`);
  return { value: matchOf(target.naming!, value) };
}

function readIdentity(
  field: ModelField,
  value: string,
  environment: Environment,
  should: (what: string) => Read<Value>,
): Read<Value> {
  const resource = field.isIdentifier ? field.resource : linkedResource(field);
  const text = identifierAt(resource, value, environment.baseUrl) ?? value;
  if (resource.identifier.kind !== 'integer') return text === '' ? should('an identifier') : { value: text };
  const number = parseWholeNumber(text);
  return number === undefined ? should('an id') : { value: number };
}

/** An identifier may be sent as the address of the record. */
function withoutAddress(field: ModelField, value: string, environment: Environment): string {
  return (field.isIdentifier ? identifierAt(field.resource, value, environment.baseUrl) : undefined) ?? value;
}

const FLAGS = 'true, false, 1 or 0';

function readFlag(value: string): boolean | undefined {
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : undefined;
}

function parseWholeNumber(text: string): number | undefined {
  const number = /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? withoutSignedZero(number) : undefined;
}

function parseDecimal(text: string): number | undefined {
  const number = /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const endsExactly = /^0*$/.test(text.split('.')[1]?.slice(DECIMAL_PLACES) ?? '');
  const isExact = Math.abs(number) <= DECIMAL_MAX && endsExactly && hasFewDecimals(number);
  return isExact ? withoutSignedZero(number) : undefined;
}

function withoutSignedZero(number: number): number {
  return number === 0 ? 0 : number;
}

const LINKED_BY: Readonly<Partial<Record<FilterKind, LinkedBy>>> = {
  identifier: 'id',
  name: 'name',
  sharedName: 'sharedName',
  string: 'value',
};
