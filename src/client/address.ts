/** Builds request URLs: path parameters, filters and orders (`price[gte]=5`). */

export interface Query {
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly order?: Readonly<Record<string, string | undefined>>;
  readonly page?: number;
  readonly itemsPerPage?: number;
}

/**
 * Builds the path and query of a request.
 *
 * @throws {TypeError} if a path parameter is missing or invalid, or a filter is an empty list
 */
export function addressOf(path: string, parameters: Readonly<Record<string, unknown>>, query: Query = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, parameters[name]));
  const pairs = [...filterPairs(query.filter ?? {}), ...orderPairs(query.order ?? {})];
  if (query.page !== undefined) pairs.push(['page', String(query.page)]);
  if (query.itemsPerPage !== undefined) pairs.push(['itemsPerPage', String(query.itemsPerPage)]);
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

function segment(name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  // URL parsers resolve "." and ".." even if they are percent-encoded, which would lead to another path.
  if (['', '.', '..'].includes(text)) throw new TypeError(`Invalid value “${text}” for the path parameter {${name}}.`);
  return encodeURIComponent(text);
}

type Pair = [name: string, value: string];

function filterPairs(filter: NonNullable<Query['filter']>): Pair[] {
  return Object.entries(filter).flatMap(([name, value]): Pair[] => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return listPairs(name, value);
    if (typeof value !== 'object' || value === null) return [[name, String(value)]];
    return Object.entries(value).flatMap(([operator, bound]): Pair[] => {
      if (bound === undefined) return [];
      return [[`${name}[${operator}]`, Array.isArray(bound) ? bound.join('..') : String(bound)]];
    });
  });
}

function listPairs(name: string, values: readonly unknown[]): Pair[] {
  // An empty list matches no record, but in a URL it would be a missing filter that matches every record.
  if (values.length === 0)
    throw new TypeError(
      `The filter ${name} is an empty list, which matches no record. Omit the filter or the request.`,
    );
  return values.map((value) => [`${name}[]`, String(value)]);
}

function orderPairs(order: NonNullable<Query['order']>): Pair[] {
  return Object.entries(order).flatMap(([name, direction]): Pair[] =>
    direction === undefined ? [] : [[`order[${name}]`, direction]],
  );
}
