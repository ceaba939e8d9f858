/**
 * Parses the query of a collection: pages, filters and orders as typed values, or a problem that names the parameter
 * and the closest valid one (http.md §§2, 6 and 8).
 */
import { shortened, withArticle } from '../english-names.ts';
import { isProblem, type Problem, problem, Violations } from '../errors.ts';
import { type Environment, type Reading, strictReading } from '../field.ts';
import { type KnownName, similarName, unknownParameter, withoutSynonyms } from '../hints.ts';
import { PLAIN_DIGITS, readIdentifier } from '../model/addresses.ts';
import { filterNamed, type ModelField, type ModelOrder, type ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import { filterParam, keyParam, linkedParam } from './bind-params.ts';
import { type FilterUse, readFilter } from './filter-values.ts';
import { ListFieldReader, type ListFieldUse } from './list-field-query.ts';
import { operatorsFor } from './operators.ts';
import { type Parameter, parseQueryString } from './query-string.ts';
import { FIELDS_PARAMETER, REPEATED, readFields } from './shown-fields.ts';
import { readSearch, SEARCH_PARAMETER, type SearchUse } from './word-search.ts';

/** The values by which a record is sorted. The last one is its identifier. */
export type ListPosition = readonly Value[];

export interface ListQuery {
  readonly page: number;
  readonly itemsPerPage: number;
  readonly filters: readonly FilterUse[];
  /** Set if records are searched for words. */
  readonly search?: SearchUse | undefined;
  /** The fields to show; undefined means all. */
  readonly fields?: readonly ModelField[] | undefined;
  readonly orders: readonly ModelOrder[];
  /** Set if the list shows, filters or sorts by its list field, which `shape` does not include. */
  readonly listField?: ListFieldUse | undefined;
  /** Bind values of the filters. */
  readonly values: Readonly<Record<string, Value>>;
  /** Identifies the SQL statement: equal for queries that differ only in bind values. */
  readonly shape: string;
  /** A value is relative to now, so the same query has another result later. */
  readonly isRelative: boolean;
  /** The text of `cursor`. The caller reads it and sets `after`. */
  readonly cursor?: string | undefined;
  /** The position after which the page begins. `page` has no meaning then. */
  readonly after?: ListPosition | undefined;
  /** The total may be a lower bound if it is above `ESTIMATED_COUNT_MAX`. */
  readonly isEstimated?: boolean | undefined;
}

export const ITEMS_PER_PAGE_DEFAULT = 30;
export const ITEMS_PER_PAGE_MAX = 100;

export const CURSOR_PARAMETER = 'cursor';

export const FACETS_PARAMETER = 'facets';
export const FACETS_LIMIT_PARAMETER = 'facets.limit';

/** Parameters that only the search with facets has. */
export const FACET_PARAMETERS: readonly string[] = [FACETS_PARAMETER, FACETS_LIMIT_PARAMETER];

/** Parses the record's path parameter: an identifier, or the unique text by which the route finds records. */
export function readItem({ resource, item }: ModelRoute, text: string, environment: Environment): Value | undefined {
  if (item?.storage.in === 'link') return readIdentifier(item.target!, text);
  if (!item || item.isIdentifier) return readIdentifier(resource, text);
  return item.field.read(text, '', new Violations(), strictReading(environment));
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
export function readListQuery(route: ModelRoute, query: string, reading: Reading): ListQuery | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  return readListParameters(route, parameters, reading);
}

/** @param others further parameters of the path, for messages */
export function readListParameters(
  route: ModelRoute,
  parameters: readonly Parameter[],
  reading: Reading,
  others: readonly string[] = [],
): ListQuery | Problem {
  const reader = new ListReader(route, reading, others);
  for (const group of grouped(parameters, reading)) {
    const error = reader.apply(group);
    if (error !== undefined && !reader.mayIgnore(group)) return problem('invalid-argument', error);
  }
  const error = reader.finish();
  return error === undefined ? reader.listQuery() : problem('invalid-argument', error);
}

/** Restricts a list to records with these identifiers. */
export function amongIdentifiers(
  { resource, filters }: ModelRoute,
  listQuery: ListQuery,
  ids: readonly Value[],
): ListQuery {
  const filter = filters.get(resource.identifierField)!;
  const param = filterParam(listQuery.filters.length);
  return {
    ...listQuery,
    filters: [...listQuery.filters, { filter, form: 'list' }],
    values: { ...listQuery.values, [param]: [...ids] },
    shape: `${listQuery.shape}&among`,
  };
}

/** Restricts a list to records that a field links to one of these records, or to none at all. */
export function linkedToOrToNone(
  { filters }: ModelRoute,
  listQuery: ListQuery,
  name: string,
  ids: readonly Value[],
): ListQuery {
  const param = linkedParam(filterParam(listQuery.filters.length), 'id');
  return {
    ...listQuery,
    filters: [...listQuery.filters, { filter: filters.get(name)!, form: 'links or none' }],
    values: { ...listQuery.values, [param]: [...ids] },
    shape: `${listQuery.shape}&${name} or none`,
  };
}

/** Parses the query of an export, which returns all matching records: no pages, no order, no default filters. */
export function readExportQuery(route: ModelRoute, query: string, reading: Reading): ListQuery | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const reader = new ListReader(route, reading);
  for (const group of grouped(parameters, reading)) {
    const [{ name, written }] = group as [Parameter];
    const isPaging =
      name === 'page' ||
      name === 'itemsPerPage' ||
      name === 'order' ||
      (name === CURSOR_PARAMETER && hasCursors(route));
    const error = isPaging
      ? `"${shortened(written)}" does not apply to an export, which returns all records in the order of their ids.`
      : reader.apply(group);
    if (error !== undefined && (isPaging || !reader.mayIgnore(group))) return problem('invalid-argument', error);
  }
  const error = reader.finish();
  return error === undefined ? reader.exportQuery() : problem('invalid-argument', error);
}

/** Groups parameters by name and operator, in the order of the first of each. */
function grouped(parameters: readonly Parameter[], { lenient }: Reading): Parameter[][] {
  const groups = new Map<string, Parameter[]>();
  for (const parameter of lenient ? lastForms(parameters) : parameters) {
    const key = `${parameter.operator === '' ? '[]' : (parameter.operator ?? '')} ${parameter.name}`;
    const group = groups.get(key);
    if (group) group.push(parameter);
    else groups.set(key, [parameter]);
  }
  return [...groups.values()];
}

/** Of repeated parameters, PHP uses the last. Of `name` and `name[]`, it uses the form that comes last. */
function lastForms(parameters: readonly Parameter[]): Parameter[] {
  const forms = new Map<string, 'single' | 'list'>();
  const used = parameters.toReversed().filter(({ name, operator }) => {
    const key = operator ? `${name}[${operator}]` : name;
    const form = operator === '' ? 'list' : 'single';
    const last = forms.get(key);
    forms.set(key, last ?? form);
    return last === undefined || (last === 'list' && form === 'list');
  });
  return used.reverse();
}

class ListReader {
  readonly #route: ModelRoute;
  readonly #reading: Reading;
  #isRelative = false;
  #page = 1;
  #hasPage = false;
  #cursor: string | undefined;
  #fields: readonly ModelField[] | undefined;
  #search: SearchUse | undefined;
  #itemsPerPage = ITEMS_PER_PAGE_DEFAULT;
  readonly #filters: FilterUse[] = [];
  readonly #orders: ModelOrder[] = [];
  readonly #values: Record<string, Value> = {};
  readonly #shape: string[] = [];
  readonly #restricted = new Set<ModelField>();
  readonly #listField: ListFieldReader | undefined;
  #listFieldUse: ListFieldUse | undefined;

  readonly #others: readonly string[];

  /** @param others further parameters of the path, for messages */
  constructor(route: ModelRoute, reading: Reading, others: readonly string[] = []) {
    this.#others = others;
    this.#route = route;
    this.#reading = reading;
    this.#listField = route.listField && new ListFieldReader(route.listField, reading);
    // A field that the path sets counts as filtered.
    for (const { field } of route.parents) if (field) this.#restricted.add(field);
  }

  /** Called after the last parameter. @returns the error message, if parameters are incomplete or exclude each other */
  finish(): string | undefined {
    if (this.#cursor !== undefined && this.#hasPage)
      return `"page" and "${CURSOR_PARAMETER}" exclude each other. Omit "page" to continue after the cursor.`;
    const use = this.#listField?.use(this.#fields);
    if (typeof use === 'string') return use;
    this.#listFieldUse = use;
    return undefined;
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
      orders: this.#orders.length > 0 ? this.#orders : (this.#search?.orders ?? []),
      listField: this.#listFieldUse,
      values: this.#values,
      shape: this.#shape.join('&'),
      isRelative: this.#isRelative,
      cursor: this.#cursor,
    };
  }

  /** Whether the request may succeed without this parameter. A list without its filter would contain everything. */
  mayIgnore([parameter]: readonly Parameter[]): boolean {
    const name = parameter!.name.split(/[[\]]/, 1)[0]!;
    const isFilter = this.#route.filters.has(name) || this.#isKeyed(name) || name === this.#listField?.name;
    const isKnown = this.#isSearch({ name }) || this.#isOfFaceted(name) || this.#isCursor(name);
    return this.#reading.lenient && !isFilter && !isKnown;
  }

  /** Applies one parameter. @returns the error message, if it is invalid */
  apply(group: readonly Parameter[]): string | undefined {
    const first = group[0]!;
    const isSearch = this.#isSearch(first);
    if (group.length > 1) {
      const error = this.#rejectRepetition(first, isSearch);
      if (error !== undefined) return error;
    }
    if (first.name === 'order' && first.operator === undefined && !this.#isKnown(first))
      return this.#rejectBareOrder(first);
    if (first.name === 'page' || first.name === 'itemsPerPage') return this.#applyPage(first);
    if (first.name === FIELDS_PARAMETER && first.operator === undefined) return this.#applyFields(first);
    if (isSearch && first.operator === undefined) return this.#applySearch(first);
    if (this.#isCursor(first.name) && first.operator === undefined) return this.#applyCursor(first);
    if (first.name === 'order' && first.operator !== undefined) return this.#applyOrder(first);
    if (this.#listField && first.name === this.#listField.name) return this.#listField.apply(group);
    return this.#applyFilter(group);
  }

  #isCursor(name: string): boolean {
    return name === CURSOR_PARAMETER && hasCursors(this.#route);
  }

  /** Whether it belongs to the path with facets. */
  #isOfFaceted(name: string): boolean {
    return this.#route.faceted !== undefined && FACET_PARAMETERS.includes(name);
  }

  #isKeyed(name: string): boolean {
    return this.#route.keyedFilters.has(name.split('.', 1)[0]!);
  }

  #isSearch({ name }: Pick<Parameter, 'name'>): boolean {
    return name === SEARCH_PARAMETER && this.#route.resource.search !== undefined;
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
    if (name === 'order' && operator !== undefined)
      return this.#route.orders.has(operator) || operator === this.#listField?.name;
    const isPaging = name === 'page' || name === 'itemsPerPage' || this.#isCursor(name);
    return isPaging || filterNamed(this.#route, name) !== undefined;
  }

  #acceptsList({ name, operator }: Parameter): boolean {
    const kind = filterNamed(this.#route, name)?.field.field.filter;
    return operator === undefined && kind !== undefined && kind !== 'boolean';
  }

  /** Suggests the right form for that of other APIs: `order=price`, `order=-price`. */
  #rejectBareOrder({ value, written }: Parameter): string {
    const names = [...this.#route.orders.keys()];
    if (names.length === 0) return this.#unknown(written);
    const [, sign, wanted = ''] = /^([-+ ]?)(\w*)/.exec(value)!;
    const direction = sign === '-' ? 'desc' : 'asc';
    const meant = similarName(wanted, knownNames(this.#route.orders));
    const hint = meant === undefined ? ` Valid fields: ${names.join(', ')}.` : '';
    return `"${written}" should name the field in brackets: "order[${meant ?? names[0]}]=${direction}".${hint}`;
  }

  #applyPage({ name, operator, value, written }: Parameter): string | undefined {
    if (operator !== undefined) return this.#unknown(written);
    const number = readPageParameter(name as 'page', value, this.#reading.lenient);
    if (typeof number === 'string') return number;
    if (name === 'itemsPerPage') this.#itemsPerPage = number;
    else {
      this.#page = number;
      this.#hasPage = true;
    }
    return undefined;
  }

  #applyCursor({ value }: Parameter): string | undefined {
    this.#cursor = value;
    return undefined;
  }

  #applyFields(parameter: Parameter): string | undefined {
    const { listField } = this.#route;
    const fields = readFields(this.#route, parameter, listField ? [listField.field] : []);
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
    const isListField = operator === this.#listField?.name;
    if (!field && !isListField) return `${this.#unknown(written, 'order')}`;
    const direction = value.toLowerCase();
    if (direction !== '' && direction !== 'asc' && direction !== 'desc')
      return `"${written}" should be asc or desc; it is "${shortened(value)}".`;
    if (!field) {
      this.#listField!.sort(this.#orders.length, direction === 'desc');
      return undefined;
    }
    this.#orders.push({ field, descending: direction === 'desc' });
    this.#shape.push(`order ${field.name} ${direction === 'desc'}`);
    return undefined;
  }

  #applyFilter(group: readonly Parameter[]): string | undefined {
    const first = group[0]!;
    const filter = filterNamed(this.#route, first.name);
    if (!filter && this.#isOfFaceted(first.name))
      return `"${shortened(first.written)}" is a parameter of ${this.#route.faceted!.path}. Send the request to that path.`;
    if (!filter && this.#isKeyed(first.name)) return this.#withoutKey(first.written);
    if (!filter) return this.#unknown(first.written);
    if (group.length === 1 && first.operator === undefined && first.value === filter.elseNone?.every) {
      this.#restricted.add(filter.field);
      this.#shape.push(`${filter.field.name} every`);
      return undefined;
    }
    const param = filterParam(this.#filters.length);
    const read = readFilter(filter, group, param, this.#reading);
    if ('error' in read) return read.error;
    this.#isRelative ||= read.value.isRelative ?? false;
    const ofKey = filter.key === undefined ? {} : { [keyParam(param)]: filter.key };
    this.#use(read.value.use, { ...read.value.values, ...ofKey });
    return undefined;
  }

  #use(use: FilterUse, values: Readonly<Record<string, Value>>): void {
    const { filter } = use;
    this.#filters.push(use);
    this.#restricted.add(filter.field);
    Object.assign(this.#values, values);
    // The key is a bind value.
    const name = filter.key === undefined ? filter.name : filter.field.name;
    this.#shape.push(`${name} ${filter.partial} ${use.form} ${detailOf(use)}`);
  }

  #withoutKey(written: string): string {
    const [name] = written.split(/[.[]/, 1);
    const { storage, target } = this.#route.keyedFilters.get(name!)!.field;
    const key = storage.in === 'linked' ? target!.fields.get(storage.keyed!.by)!.target! : target!;
    return `"${shortened(written)}" should contain the id of ${withArticle(key.name)}, such as "${name}.12[]=5".`;
  }

  #unknown(written: string, within?: 'order'): string {
    const orders = [
      ...knownNames(this.#route.orders, (name) => `order[${name}]`),
      ...(this.#listField ? [{ name: `order[${this.#listField.name}]` }] : []),
    ];
    if (within === 'order') return unknownParameter(written, orders);
    const own = [
      ...PARAMETERS.filter(({ name }) => name !== SEARCH_PARAMETER || this.#route.resource.search),
      ...(hasCursors(this.#route) ? withoutSynonyms([CURSOR_PARAMETER]) : []),
      ...withoutSynonyms(this.#others),
    ];
    const fields = [...this.#route.filters].map(([name, { field }]) => [name, field] as const);
    const operators = new Set([...this.#route.filters.values()].flatMap(operatorsFor));
    const filters = ['', '[]', ...[...operators].map((operator) => `[${operator}]`)].flatMap((form) =>
      knownNames(fields, (name) => `${name}${form}`),
    );
    // The forms of a filter are not listed, and its aliases are deprecated.
    const names = [...this.#route.filters].filter(([name, filter]) => name === filter.name).map(([name]) => name);
    const keyed = [...this.#route.keyedFilters.keys()].map((name) => `${name}.ID`);
    const listed = [...own.map(({ name }) => name), ...names, ...keyed, ...orders.map(({ name }) => name)];
    const ofListField = this.#listField?.known ?? [];
    return unknownParameter(written, [...own, ...filters, ...orders, ...ofListField], listed);
  }
}

/** Whether the lists of the route take cursors. */
export function hasCursors({ faceted }: ModelRoute): boolean {
  return faceted !== undefined;
}

/** Parameters of all collections. */
const PARAMETERS: readonly KnownName[] = [
  { name: 'page', synonyms: ['pagenumber'] },
  { name: 'itemsPerPage', synonyms: ['limit', 'perpage', 'pagesize', 'size'] },
  { name: FIELDS_PARAMETER, synonyms: ['select'] },
  { name: SEARCH_PARAMETER, synonyms: ['q', 'query'] },
];

/** @param form - converts names and synonyms of fields */
function knownNames(
  fields: Iterable<readonly [name: string, ModelField]>,
  form = (name: string): string => name,
): KnownName[] {
  return [...fields].map(([name, { field }]) => ({ name: form(name), synonyms: (field.synonyms ?? []).map(form) }));
}

const PAGE_MAX = Math.floor(Number.MAX_SAFE_INTEGER / ITEMS_PER_PAGE_MAX);

/** Parses the value of a page parameter (http.md §6). @returns the number, or an error message */
export function readPageParameter(name: 'page' | 'itemsPerPage', value: string, lenient: boolean): number | string {
  const plain = PLAIN_DIGITS.test(value) ? Number(value) : Number.NaN;
  const number = lenient ? readLeadingDigits(name, value) : plain;
  if (!Number.isSafeInteger(number * ITEMS_PER_PAGE_MAX))
    return `"${name}" should be a whole number from 1; it is "${shortened(value)}".`;
  return name === 'page' ? number : Math.min(number, ITEMS_PER_PAGE_MAX);
}

/** Reads a page parameter as PHP does: the leading digits count. */
function readLeadingDigits(name: string, value: string): number {
  const [, digits] = /^[+ ]?(\d+)/.exec(value) ?? [];
  if (name === 'page') return Math.min(Math.max(Number(digits ?? 1), 1), PAGE_MAX);
  return digits === undefined ? ITEMS_PER_PAGE_DEFAULT : Math.min(Number(digits), ITEMS_PER_PAGE_MAX);
}

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
