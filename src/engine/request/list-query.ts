/**
 * Parses the query of a collection: pages, filters and orders as typed values, or a problem that names the parameter
 * and the closest valid one (http.md §§2, 6 and 8).
 */
import { closest } from 'fastest-levenshtein';
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem, Violations } from '../errors.ts';
import type { Environment, FilterKind } from '../field.ts';
import { DECIMAL_MAX, DECIMAL_PLACES, hasFewDecimals } from '../fields/number.ts';
import { DATE_TIME_FORMS } from '../fields/timestamp.ts';
import { identifierAt, PLAIN_DIGITS, readIdentifier } from '../model/addresses.ts';
import { linkedResource, type ModelField, type ModelFilter, type ModelRoute } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import { isOwnAddress } from '../own-address.ts';
import type { Value } from '../ports.ts';
import { containsPattern, searchKey, trigramsOf } from '../text-forms.ts';
import { readTimestamp } from '../time.ts';
import { filterParam, linkedParam, trigramParam } from './bind-params.ts';
import { type Comparison, operatorsFor } from './operators.ts';
import { type Parameter, parseQueryString } from './query-string.ts';
import { addressed } from './references.ts';
import { FIELDS_PARAMETER, REPEATED, readFields } from './shown-fields.ts';
import { readSearch, SEARCH_PARAMETER, type SearchUse } from './word-search.ts';

export interface ListQuery {
  readonly page: number;
  readonly itemsPerPage: number;
  readonly filters: readonly FilterUse[];
  /** Set if records are searched for words. */
  readonly search?: SearchUse | undefined;
  /** The fields to show; undefined means all. */
  readonly fields?: readonly ModelField[] | undefined;
  readonly orders: readonly { readonly field: ModelField; readonly descending: boolean }[];
  /** Bind values of the filters. */
  readonly values: Readonly<Record<string, Value>>;
  /** Identifies the SQL statement: equal for queries that differ only in bind values. */
  readonly shape: string;
}

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

export const ITEMS_PER_PAGE_DEFAULT = 30;
export const ITEMS_PER_PAGE_MAX = 100;
const LIST_VALUES_MAX = 100;

/** Parses the record's path parameter: an identifier, or the unique text by which the route finds records. */
export function readItem({ resource, item }: ModelRoute, text: string, environment: Environment): Value | undefined {
  if (item?.storage.in === 'link') return readIdentifier(item.target!, text);
  if (!item || item.isIdentifier) return readIdentifier(resource, text);
  return item.field.read(text, '', new Violations(), { ...environment, lenient: false });
}

/** Rejects all parameters, for paths that take none. */
export function rejectParameters(query: string, lenient: boolean): Problem | undefined {
  if (query === '' || lenient) return undefined;
  const parameters = parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const first = parameters[0];
  return (
    first &&
    problem('invalid-argument', `Unknown parameter "${shortened(first.written)}". This path takes no parameters.`)
  );
}

/** @param query the raw text after `?` */
export function readListQuery(
  route: ModelRoute,
  query: string,
  environment: Environment,
  lenient: boolean,
): ListQuery | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const reader = new ListReader(route, environment);
  for (const group of grouped(parameters)) {
    const error = reader.apply(group);
    if (error !== undefined && !lenient) return problem('invalid-argument', error);
  }
  return reader.listQuery();
}

/** Parses the query of an export, which returns all matching records: no pages, no order, no default filters. */
export function readExportQuery(
  route: ModelRoute,
  query: string,
  environment: Environment,
  lenient: boolean,
): ListQuery | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const reader = new ListReader(route, environment);
  for (const group of grouped(parameters)) {
    const [{ name, written }] = group as [Parameter];
    const isPaging = name === 'page' || name === 'itemsPerPage' || name === 'order';
    const error = isPaging
      ? `"${shortened(written)}" does not apply to an export, which returns all records in the order of their ids.`
      : reader.apply(group);
    if (error !== undefined && (isPaging || !lenient)) return problem('invalid-argument', error);
  }
  return reader.exportQuery();
}

/** Groups parameters by name and operator, in the order of the first of each. */
function grouped(parameters: readonly Parameter[]): Parameter[][] {
  const groups = new Map<string, Parameter[]>();
  for (const parameter of parameters) {
    const key = `${parameter.operator === '' ? '[]' : (parameter.operator ?? '')} ${parameter.name}`;
    const group = groups.get(key);
    if (group) group.push(parameter);
    else groups.set(key, [parameter]);
  }
  return [...groups.values()];
}

type Read<T> = { readonly value: T } | { readonly error: string };

class ListReader {
  readonly #route: ModelRoute;
  readonly #environment: Environment;
  #page = 1;
  #fields: readonly ModelField[] | undefined;
  #search: SearchUse | undefined;
  #itemsPerPage = ITEMS_PER_PAGE_DEFAULT;
  readonly #filters: FilterUse[] = [];
  readonly #orders: ListQuery['orders'][number][] = [];
  readonly #values: Record<string, Value> = {};
  readonly #shape: string[] = [];
  readonly #restricted = new Set<ModelField>();

  constructor(route: ModelRoute, environment: Environment) {
    this.#route = route;
    this.#environment = environment;
    // A field that the path sets counts as filtered.
    for (const { field } of route.parents) if (field) this.#restricted.add(field);
  }

  listQuery(): ListQuery {
    for (const filter of new Set(this.#route.filters.values()))
      if (filter.elseNone && ![filter.field, ...filter.elseNone.unless].some((field) => this.#restricted.has(field)))
        this.#use({ filter, form: 'none' }, {});
    return this.exportQuery();
  }

  /** The query without default filters. */
  exportQuery(): ListQuery {
    return {
      page: this.#page,
      itemsPerPage: this.#itemsPerPage,
      filters: this.#filters,
      search: this.#search,
      fields: this.#fields,
      orders: this.#orders,
      values: this.#values,
      shape: this.#shape.join('&'),
    };
  }

  /** Applies one parameter. @returns the error message, if it is invalid */
  apply(group: readonly Parameter[]): string | undefined {
    const first = group[0]!;
    const isSearch = first.name === SEARCH_PARAMETER && this.#route.resource.search !== undefined;
    if (group.length > 1) {
      const error = this.#rejectRepetition(first, isSearch);
      if (error !== undefined) return error;
    }
    if (first.name === 'order' && first.operator === undefined && !this.#isKnown(first))
      return this.#rejectBareOrder(first);
    if (first.name === 'page' || first.name === 'itemsPerPage') return this.#applyPage(first);
    if (first.name === FIELDS_PARAMETER && first.operator === undefined) return this.#applyFields(first);
    if (isSearch && first.operator === undefined) return this.#applySearch(first);
    if (first.name === 'order' && first.operator !== undefined) return this.#applyOrder(first);
    return this.#applyFilter(group);
  }

  #rejectRepetition(parameter: Parameter, isSearch: boolean): string | undefined {
    const written = shortened(parameter.written);
    if (parameter.name === FIELDS_PARAMETER) return REPEATED;
    if (isSearch) return `The parameter "${SEARCH_PARAMETER}" is given more than once. Send all words in one.`;
    if (parameter.operator === '' || !this.#isKnown(parameter)) return undefined;
    return this.#acceptsList(parameter)
      ? `The parameter "${written}" is given more than once. For a list, send "${shortened(parameter.name)}[]=…" for each value.`
      : `The parameter "${written}" is given more than once. Send it once.`;
  }

  #isKnown({ name, operator }: Parameter): boolean {
    if (name === 'order' && operator !== undefined) return this.#route.orders.has(operator);
    return name === 'page' || name === 'itemsPerPage' || this.#route.filters.has(name);
  }

  #acceptsList({ name, operator }: Parameter): boolean {
    const kind = this.#route.filters.get(name)?.field.field.filter;
    return operator === undefined && kind !== undefined && kind !== 'boolean';
  }

  /** Suggests the right form for that of other APIs: `order=price`, `order=-price`. */
  #rejectBareOrder({ value, written }: Parameter): string {
    const names = [...this.#route.orders.keys()];
    if (names.length === 0) return this.#unknown(written);
    const [, sign, wanted = ''] = /^([-+ ]?)(\w*)/.exec(value)!;
    const direction = sign === '-' ? 'desc' : 'asc';
    return `"${written}" should name the field in brackets: "order[${closest(shortened(wanted), names)}]=${direction}".`;
  }

  #applyPage({ name, operator, value, written }: Parameter): string | undefined {
    if (operator !== undefined) return this.#unknown(written);
    const number = PLAIN_DIGITS.test(value) ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number * ITEMS_PER_PAGE_MAX))
      return `"${name}" should be a whole number from 1; it is "${shortened(value)}".`;
    if (name === 'page') this.#page = number;
    else this.#itemsPerPage = Math.min(number, ITEMS_PER_PAGE_MAX);
    return undefined;
  }

  #applyFields(parameter: Parameter): string | undefined {
    const fields = readFields(this.#route, parameter);
    if (typeof fields === 'string') return fields;
    this.#fields = fields;
    return undefined;
  }

  #applySearch({ value }: Parameter): string | undefined {
    const read = readSearch(value);
    if (typeof read === 'string') return read;
    const { params, longWords } = read;
    this.#search = { ...this.#route.resource.search!, longWords };
    Object.assign(this.#values, params);
    this.#shape.push(`search ${longWords}`);
    return undefined;
  }

  #applyOrder({ operator, value, written }: Parameter): string | undefined {
    const field = this.#route.orders.get(operator!);
    if (!field) return `${this.#unknown(written, 'order')}`;
    const direction = value.toLowerCase();
    if (direction !== '' && direction !== 'asc' && direction !== 'desc')
      return `"${written}" should be asc or desc; it is "${shortened(value)}".`;
    this.#orders.push({ field, descending: direction === 'desc' });
    this.#shape.push(`order ${field.name} ${direction === 'desc'}`);
    return undefined;
  }

  #applyFilter(group: readonly Parameter[]): string | undefined {
    const first = group[0]!;
    const filter = this.#route.filters.get(first.name);
    if (!filter) return this.#unknown(first.written);
    if (group.length === 1 && first.operator === undefined && first.value === filter.elseNone?.every) {
      this.#restricted.add(filter.field);
      this.#shape.push(`${filter.field.name} every`);
      return undefined;
    }
    const param = filterParam(this.#filters.length);
    const read = this.#readFilter(filter, group, param);
    if ('error' in read) return read.error;
    this.#use(read.value.use, read.value.values);
    return undefined;
  }

  #use(use: FilterUse, values: Record<string, Value>): void {
    const { filter } = use;
    this.#filters.push(use);
    this.#restricted.add(filter.field);
    Object.assign(this.#values, values);
    this.#shape.push(`${filter.name} ${filter.partial} ${use.form} ${detailOf(use)}`);
  }

  #readFilter(
    filter: ModelFilter,
    group: readonly Parameter[],
    param: string,
  ): Read<{ use: FilterUse; values: Record<string, Value> }> {
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
    if (isRange) return this.#readRange(filter, first, param);
    if (kind === 'timestamp') return this.#readSpans(filter, group, param);
    const { storage } = filter.field;
    if (storage.in === 'link' || storage.in === 'links' || storage.in === 'linked')
      return this.#readLinked(filter, group, param);
    const values: Value[] = [];
    for (const { value, written } of group) {
      const read = this.#readValue(filter, value, written);
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

  #readLinked(
    filter: ModelFilter,
    group: readonly Parameter[],
    param: string,
  ): Read<{ use: FilterUse; values: Record<string, Value> }> {
    const values: Record<string, Value[]> = {};
    const by = new Set<LinkedBy>();
    for (const { value, written } of group) {
      const id = filter.kind === 'name' && !filter.linkedField ? this.#addressed(filter.field, value) : undefined;
      const read = id === undefined ? this.#readValue(filter, value, written) : { value: id };
      if ('error' in read) return read;
      const how = id === undefined ? LINKED_BY[filter.kind]! : 'id';
      by.add(how);
      values[linkedParam(param, how)] ??= [];
      values[linkedParam(param, how)]!.push(read.value);
    }
    return { value: { use: { filter, form: 'links', by: [...by].sort() }, values } };
  }

  /** The identifier in the address of a possible target of the link. */
  #addressed(field: ModelField, value: string): Value | undefined {
    return addressed(linkedResource(field), value, this.#environment.baseUrl);
  }

  #readRange(
    filter: ModelFilter,
    parameter: Parameter,
    param: string,
  ): Read<{ use: FilterUse; values: Record<string, Value> }> {
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
    if (operator === 'between') return this.#readBetween(filter, parameter, param);
    const read = kind === 'timestamp' ? this.#readTimestamp(value, written) : this.#readValue(filter, value, written);
    if ('error' in read) return read;
    const bound =
      typeof read.value === 'object' && read.value !== null && 'seconds' in read.value
        ? read.value.seconds
        : read.value;
    return {
      value: {
        use: { filter, form: 'comparison', comparison: operator as Comparison },
        values: { [param]: bound as Value },
      },
    };
  }

  #readBetween(
    filter: ModelFilter,
    { value, written }: Parameter,
    param: string,
  ): Read<{ use: FilterUse; values: Record<string, Value> }> {
    const [from, to, ...more] = value.split('..');
    if (to === undefined || more.length > 0)
      return { error: `"${written}" should be two numbers like 5..9; it is "${shortened(value)}".` };
    const low = this.#readValue(filter, from!, written);
    const high = this.#readValue(filter, to, written);
    if ('error' in low) return low;
    if ('error' in high) return high;
    return {
      value: {
        use: { filter, form: 'between' },
        values: { [`${param}_from`]: low.value, [`${param}_to`]: high.value },
      },
    };
  }

  #readSpans(
    filter: ModelFilter,
    group: readonly Parameter[],
    param: string,
  ): Read<{ use: FilterUse; values: Record<string, Value> }> {
    const values: Record<string, Value> = {};
    for (const [index, { value, written }] of group.entries()) {
      const read = this.#readTimestamp(value, written);
      if ('error' in read) return read;
      const { seconds, dateOnly, nextDay } = read.value;
      values[`${param}_${index}_from`] = seconds;
      values[`${param}_${index}_before`] = dateOnly ? nextDay : seconds + 1;
    }
    return { value: { use: { filter, form: 'spans', count: group.length }, values } };
  }

  #readTimestamp(value: string, written: string): Read<NonNullable<ReturnType<typeof readTimestamp>>> {
    // A "+" before the offset that was not percent-encoded was decoded as a space.
    const timestamp = readTimestamp(
      value.replace(/(:\d{2}(?:\.\d+)?) (\d{2}:?\d{2})$/, '$1+$2'),
      this.#environment.timeZone,
    );
    return timestamp
      ? { value: timestamp }
      : {
          error: `"${written}" should be a valid date-time (${DATE_TIME_FORMS}); it is "${shortened(value)}".`,
        };
  }

  #readValue(filter: ModelFilter, value: string, written: string): Read<Value> {
    const read = this.#readKind(filter, value, written);
    if ('error' in read || filter.values === undefined || filter.values.includes(read.value as string)) return read;
    return { error: `"${written}" should be one of ${filter.values.join(', ')}; it is "${shortened(value)}".` };
  }

  #readKind(filter: ModelFilter, value: string, written: string): Read<Value> {
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
        return this.#readFilteredIdentifier(filter.field, value, should);
      case 'name':
        return this.#readName(filter, value, should);
      case 'sharedName':
        return value === '' ? should('a name') : { value: searchKey(value) };
      case 'string':
        return { value: filter.partial ? containsPattern(value) : this.#withoutAddress(filter.field, value) };
      case 'timestamp':
        throw new Error('timestamps are read as spans');
    }
  }

  #readName({ field, linkedField }: ModelFilter, value: string, should: (what: string) => Read<Value>): Read<Value> {
    const target = linkedResource(field);
    if (value === '') return should('a name');
    // Any other address of this store cannot be a target of the link.
    if (!linkedField && isOwnAddress(value, this.#environment.baseUrl))
      return should(`a name, or the address of a ${target.name}`);
    return { value: matchOf(target.naming!, value) };
  }

  #readFilteredIdentifier(field: ModelField, value: string, should: (what: string) => Read<Value>): Read<Value> {
    const resource = field.isIdentifier ? field.resource : linkedResource(field);
    const text = identifierAt(resource, value, this.#environment.baseUrl) ?? value;
    if (resource.identifier.kind !== 'integer') return text === '' ? should('an identifier') : { value: text };
    const number = parseWholeNumber(text);
    return number === undefined ? should('an id') : { value: number };
  }

  /** An identifier may be sent as the address of the record. */
  #withoutAddress(field: ModelField, value: string): string {
    return (field.isIdentifier ? identifierAt(field.resource, value, this.#environment.baseUrl) : undefined) ?? value;
  }

  #unknown(written: string, within?: 'order'): string {
    const orders = [...this.#route.orders.keys()].map((name) => `order[${name}]`);
    const search = this.#route.resource.search ? [SEARCH_PARAMETER] : [];
    const all = ['page', 'itemsPerPage', FIELDS_PARAMETER, ...search, ...this.#route.filters.keys(), ...orders];
    const candidates = within === 'order' ? orders : all;
    return `Unknown parameter "${shortened(written)}". Did you mean "${closest(shortened(written), candidates)}"?`;
  }
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

/** Distinguishes uses of one form whose statements differ. */
function detailOf(use: FilterUse): string {
  switch (use.form) {
    case 'links':
      return use.by.join();
    case 'exists':
      return String(use.wanted);
    case 'spans':
      return String(use.count);
    case 'comparison':
      return use.comparison;
    case 'partial':
      return String(use.hasTrigrams);
    default:
      return '';
  }
}
