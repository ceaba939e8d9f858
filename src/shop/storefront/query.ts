/** Parses the query of a request of a shopper: only the names of the storefront view are accepted (storefront.md §2). */
import {
  FACET_PARAMETERS,
  type FacetsUse,
  FIELDS_PARAMETER,
  hintOf,
  isProblem,
  type ListQuery,
  type ModelRoute,
  type Parameter,
  type Problem,
  problem,
  type Reading,
  readFacetParameters,
  readListParameters,
  SEARCH_PARAMETER,
  shortened,
  unknownParameter,
  withoutSynonyms,
} from '../../engine/index.ts';
import { facetedRoute, parameter, type ShopReading, type ShopView } from './view.ts';

export interface ShopQuery {
  readonly view: ShopView;
  readonly route: ModelRoute;
  /** Whether the path names one record. */
  readonly isRecord: boolean;
  /** Names of the fields to show. */
  readonly names: readonly string[];
  readonly address: ShopReading['address'];
  /** The product of the path, of whose parts the list is. */
  readonly parent?: number | undefined;
  /** The facets to count; undefined if the path has none. */
  readonly facets: FacetsUse | undefined;
  /** Parameters of the engine's list. */
  readonly parameters: readonly EngineParameter[];
  /** The engine's list, of visible and other linked records. */
  readonly listQuery: ListQuery;
}

/** A parameter of the engine's list. */
interface EngineParameter extends Parameter {
  /** The value is an id, not a name. */
  readonly isId?: boolean;
  /** The resource of the record with this id. The record may be one that shoppers cannot see. */
  readonly idOf?: string | undefined;
}

interface QueryContext {
  readonly route: ModelRoute;
  readonly reading: Reading;
  /** Further conditions of visible records. */
  readonly conditions?: readonly Parameter[];
  /** The field by which the path names one record, and its value. */
  readonly record?: { readonly field: string; readonly value: string };
  /** The product in the path of a list of its parts. */
  readonly parent?: number;
  /** Whether the path is that of the search with facets. */
  readonly isFaceted?: boolean;
}

const PAGING = ['page', 'itemsPerPage'];
const ADDRESS = ['country', 'state_name'];
const STATE_LENGTH_MAX = 255;

/** @param sent without the parameters of all views, such as the language */
export function readShopQuery(
  view: ShopView,
  sent: readonly Parameter[],
  { route, reading, conditions = [], record, parent, isFaceted = false }: QueryContext,
): ShopQuery | Problem {
  const isOwn = ({ name, operator }: Parameter): boolean =>
    operator === undefined && ownParameters(view).includes(name);
  const own = readOwn(sent.filter(isOwn));
  if (isProblem(own)) return own;
  const isOfFacets = ({ name }: Parameter): boolean => isFaceted && FACET_PARAMETERS.includes(name);
  const others = sent.filter((each) => !isOwn(each) && !isOfFacets(each));
  const [first] = others;
  if (record && first) return problem('invalid-argument', unknown(view, first, true));
  const filters = translateAll(view, others);
  if (isProblem(filters)) return filters;
  const engine = [...view.conditions.map((each) => parameter(...each)), ...conditions, ...filters];
  if (record) engine.push(parameter(record.field, undefined, record.value));
  const names = readNames(view, own.get(FIELDS_PARAMETER));
  if (isProblem(names)) return names;
  const address = readAddress(own);
  if (isProblem(address)) return address;
  const facets = isFaceted ? readFacets(view, route, sent.filter(isOfFacets)) : undefined;
  if (facets && isProblem(facets)) return facets;
  const listQuery = toListQuery({ view, route, names, parameters: engine, facets }, reading);
  if (isProblem(listQuery)) return listQuery;
  const isRecord = record !== undefined;
  return { view, route, isRecord, names, address, parent, facets, parameters: engine, listQuery };
}

/**
 * Builds the engine's list of these parameters.
 * @param membership the buyer's, for filters, orders and facets by price
 */
export function toListQuery(
  { view, route, names, parameters, facets }: Pick<ShopQuery, 'view' | 'route' | 'names' | 'parameters' | 'facets'>,
  reading: Reading,
  membership: number | null = null,
): ListQuery | Problem {
  const { listField } = route;
  const isValued = ({ name, operator }: Parameter): boolean =>
    name === listField?.field.name || (name === 'order' && operator === listField?.field.name);
  const needsBuyer = parameters.some(isValued) || facets?.facets.some(({ field }) => field === listField?.field);
  const buyer = needsBuyer ? [parameter(listField!.field.name, 'membership', String(membership ?? 0))] : [];
  const listQuery = readListParameters(route, [...parameters, ...buyer], reading);
  if (isProblem(listQuery)) return listQuery;
  const source = view.source(names);
  return { ...listQuery, fields: [...route.outputs, ...route.onRequest].filter(({ name }) => source.has(name)) };
}

/** Reads the facets. A facet whose filter uses the list field counts the values of the list field. */
function readFacets(view: ShopView, route: ModelRoute, sent: readonly Parameter[]): FacetsUse | Problem {
  const use = readFacetParameters(facetedRoute(route, view), sent);
  if (isProblem(use)) return use;
  const { listField } = route;
  const facets = use.facets.map((facet) => {
    const isValued = listField && view.filters[facet.name]?.as === listField.field.name;
    return isValued ? { ...facet, field: listField.field } : facet;
  });
  return { ...use, facets };
}

function ownParameters({ hasPrices }: ShopView): readonly string[] {
  return [FIELDS_PARAMETER, ...(hasPrices ? ADDRESS : [])];
}

function readOwn(sent: readonly Parameter[]): ReadonlyMap<string, Parameter> | Problem {
  const own = new Map<string, Parameter>();
  for (const each of sent) {
    if (own.has(each.name))
      return problem('invalid-argument', `The parameter "${each.name}" is given more than once. Send it once.`);
    own.set(each.name, each);
  }
  return own;
}

function translateAll(view: ShopView, sent: readonly Parameter[]): EngineParameter[] | Problem {
  const all: EngineParameter[] = [];
  for (const each of sent) {
    const translated = translate(view, each);
    if (!translated) return problem('invalid-argument', unknown(view, each, false));
    if (translated.isId && !/^\d+$/.test(each.value))
      return problem('invalid-argument', `"${each.written}" should be an id; it is "${shortened(each.value)}".`);
    all.push(translated);
  }
  return all;
}

/** Returns the engine's parameter for that of a client; undefined for an unknown one. */
function translate({ filters, orders, facets }: ShopView, sent: Parameter): EngineParameter | undefined {
  const { name, operator } = sent;
  if (PAGING.includes(name) || (facets && name === SEARCH_PARAMETER)) return sent;
  if (name === 'order') {
    const order = operator !== undefined && Object.hasOwn(orders, operator) ? orders[operator] : undefined;
    return order === undefined ? undefined : { ...sent, operator: order };
  }
  const [base] = name.split('.', 1) as [string];
  const keyed = Object.hasOwn(filters, base) && filters[base]!.isKeyed ? filters[base] : undefined;
  const filter = keyed ?? (Object.hasOwn(filters, name) ? filters[name] : undefined);
  if (!filter || (filter.operators && !filter.operators.includes(operator))) return undefined;
  const isId = filter.idsOf !== undefined || (keyed !== undefined && name !== base && operator !== 'exists');
  return { ...sent, name: filter.as + name.slice(keyed ? base.length : name.length), isId, idOf: filter.idsOf };
}

function unknown(view: ShopView, { name, written }: Parameter, isRecord: boolean): string {
  const { filters, orders, facets } = view;
  if (!isRecord && facets && FACET_PARAMETERS.includes(name))
    return `"${shortened(written)}" is a parameter of /storefront${view.path}/search. Send the request to that path.`;
  const own = [...ownParameters(view), 'language', ...(view.isOwn ? [] : ['for'])];
  const names = Object.entries(filters).flatMap(([name, { operators = [undefined], isKeyed }]) => {
    if (isKeyed) return `${name}.ID`;
    return operators.includes(undefined) ? name : operators.map((operator) => `${name}[${operator}]`);
  });
  const ofLists = [
    ...PAGING,
    ...(facets ? [SEARCH_PARAMETER] : []),
    ...names,
    ...Object.keys(orders).map((name) => `order[${name}]`),
  ];
  return unknownParameter(written, withoutSynonyms(isRecord ? own : [...own, ...ofLists]));
}

function readNames({ fields }: ShopView, sent: Parameter | undefined): readonly string[] | Problem {
  if (!sent) return fields;
  const wanted = new Set(sent.value.split(',').map((name) => name.trim()));
  for (const name of wanted)
    if (!fields.includes(name)) {
      const hint = hintOf(name, withoutSynonyms(fields), 'fields');
      return problem('invalid-argument', `Unknown field "${shortened(name)}" in "fields".${hint}`);
    }
  return fields.filter((name) => wanted.has(name));
}

function readAddress(own: ReadonlyMap<string, Parameter>): ShopReading['address'] | Problem {
  const [country, state] = ADDRESS.map((name) => own.get(name)?.value);
  if (country !== undefined && !/^[A-Z]{2}$/.test(country))
    return problem(
      'invalid-argument',
      `"country" must be two capital letters such as DE; it is "${shortened(country)}".`,
    );
  if (state !== undefined && country === undefined)
    return problem('invalid-argument', '"state_name" needs "country". Send both or neither.');
  if ([...(state ?? '')].length > STATE_LENGTH_MAX)
    return problem('invalid-argument', `"state_name" must have at most ${STATE_LENGTH_MAX} characters.`);
  return country === undefined ? null : { country, state: state ?? null };
}
