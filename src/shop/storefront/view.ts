/**
 * What shoppers see of a resource: its storefront view. It lists the fields, filters and orders that they can use; everything
 * else is hidden. Pages are read by the engine, as for the back office.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  JsonSchema,
  ModelRoute,
  Parameter,
  Reads,
  RequestOptions,
  Service,
  ShownRecord,
  Value,
} from '../../engine/index.ts';
import type { CartSettings } from '../carts/settings.ts';

export interface StorefrontSettings {
  /** Name of the shop. */
  readonly name: string;
  /** Seconds for which shared caches may store a response; 0: they validate each. */
  readonly cacheSeconds: number;
  /** Shoppers see stocks up to this number. */
  readonly quantityMax: number;
  readonly carts: CartSettings;
}

/** The address that determines taxes. */
interface ShopperAddress {
  readonly country: string;
  readonly state: string | null;
  readonly zipcode?: string | null;
  readonly city?: string | null;
}

/** What the shopper's session adds to a response (`for=me`). */
export interface ShopperContext {
  /** Null for none, and for a disabled one. */
  readonly membership: number | null;
  /** The first shipping address, if it has a country. */
  readonly address: ShopperAddress | null;
}

/** How one response is read. */
export interface ShopReading {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly reads: Reads;
  readonly settings: StorefrontSettings;
  readonly address: ShopperAddress | null;
  readonly membership: number | null;
  /** The record that the path names above the list. */
  readonly parent?: Value | undefined;
}

/** How the OpenAPI document describes a value: like this field of the resource, by records of another one, or by a schema. */
type Described = DescribedField | DescribedRecords | { readonly schema: JsonSchema; readonly example: unknown };

interface DescribedField {
  readonly field: string;
  /** Undefined: that of the field. */
  readonly description: string | undefined;
}

interface DescribedRecords {
  /** The resource. */
  readonly record: string;
  readonly members: readonly string[];
  readonly description: string;
  /** A list of records; otherwise one or null. */
  readonly isList: boolean;
  /** Whether the list of the example is empty. */
  readonly isEmpty?: boolean;
  /** Descriptions for shoppers, where those of the fields are for the back office. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** The shown members of fields that are lists of objects. */
  readonly nested?: Readonly<Record<string, readonly string[]>>;
}

interface ShopField<F> {
  /** The fields of the record that the value is made of. */
  readonly from: readonly string[];
  /** What else the value needs. */
  readonly needs?: readonly (keyof F)[];
  readonly value: (record: ShownRecord, facts: F) => unknown;
  readonly described: Described;
}

/** The parameter of the engine's list to which a filter is translated. */
interface ShopFilter {
  readonly as: string;
  /** The operators; every one of the parameter if undefined. A list has the operator ``. */
  readonly operators?: readonly (string | undefined)[];
  /** Values are ids of records of this resource. Those that shoppers cannot see match nothing. */
  readonly idsOf?: string;
  /** The name also has an id, as in `attributes.12`, and values are ids. */
  readonly isKeyed?: boolean;
}

interface ShopDeclaration<F> {
  readonly resource: string;
  /** The collection that the engine lists. */
  readonly path: string;
  /** Which records the list has, for the OpenAPI document. */
  readonly about: string;
  /** Whether its records have paths of their own. */
  readonly hasRecords?: boolean;
  /** The resources of which `facts`, `among` and filters read records. */
  readonly reads: readonly string[];
  /** The conditions of visible records that filters of the engine can express. */
  readonly conditions: readonly (readonly [name: string, operator: string | undefined, value: string])[];
  /** The identifiers of the records that all shoppers see, if these conditions are not enough. */
  readonly among?: (reading: ShopReading) => Promise<readonly Value[]>;
  /** The identifiers of the other records that a member sees, with `among`. */
  readonly restricted?: (reading: ShopReading) => Promise<readonly Value[]>;
  readonly fields: Readonly<Record<string, ShopField<F>>>;
  readonly filters: Readonly<Record<string, ShopFilter>>;
  /** The name of the engine's order by each name. */
  readonly orders: Readonly<Record<string, string>>;
  /** The facets of its search. Without it, the list cannot be searched. */
  readonly facets?: readonly string[];
  /** Whether the country and the state of the shopper can be sent. */
  readonly hasPrices?: boolean;
  /** Whether only one customer sees each record. */
  readonly isOwn?: boolean;
  /** Reads what these fields need, for all records of a page. */
  readonly facts: (
    reading: ShopReading,
    records: readonly ShownRecord[],
    needs: ReadonlySet<keyof F>,
  ) => Promise<F & { readonly endsAt?: number | undefined }>;
}

/** Shown records, and when they may change although no record changes (seconds since 1970; undefined: never). */
interface Shown {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly endsAt: number | undefined;
}

export interface ShopView extends Omit<ShopDeclaration<never>, 'fields' | 'facts'> {
  /** Names of the fields, in the order of output. */
  readonly fields: readonly string[];
  readonly described: Readonly<Record<string, Described>>;
  /** Returns the fields of the engine's records that these fields are made of. */
  readonly source: (names: readonly string[]) => ReadonlySet<string>;
  readonly show: (reading: ShopReading, records: readonly ShownRecord[], names: readonly string[]) => Promise<Shown>;
}

export function shopView<F>({ fields, facts, ...declared }: ShopDeclaration<F>): ShopView {
  return {
    ...declared,
    fields: Object.keys(fields),
    described: Object.fromEntries(Object.entries(fields).map(([name, { described }]) => [name, described])),
    source: (names) => new Set(['id', ...names.flatMap((name) => fields[name]!.from)]),
    async show(reading, records, names) {
      const needs = new Set(names.flatMap((name) => fields[name]!.needs ?? []));
      const found = await facts(reading, records, needs);
      const show = (record: ShownRecord) =>
        Object.fromEntries(names.map((name) => [name, fields[name]!.value(record, found)]));
      return { records: records.map(show), endsAt: found.endsAt };
    },
  };
}

/**
 * A field that is shown as the back office shows it.
 * @param description if that of the field is not for shoppers
 */
export function same(name: string, description?: string): ShopField<object> {
  return { from: [name], value: (record) => record[name], described: { field: name, description } };
}

/** Describes records of another resource by some of their fields. */
export function recordsOf(
  record: string,
  members: readonly string[],
  description: string,
  isList = true,
): DescribedRecords {
  return { record, members, description, isList };
}

/** Descriptions of what products and variants have in common. */
export const DESCRIBED = {
  price: {
    schema: { type: 'number', description: 'Unit price for a quantity of 1, after discounts.' },
    example: 19.99,
  },
  list_price: {
    schema: { type: 'number', description: 'Unit price without sales and wholesale prices.' },
    example: 19.99,
  },
  tiers: {
    schema: {
      type: 'array',
      description: 'Unit price for each minimum quantity, from 1.',
      items: {
        type: 'object',
        properties: {
          quantity: { type: 'integer', minimum: 1, description: 'Minimum quantity for this price.' },
          price: { type: 'number', description: 'Unit price.' },
        },
        required: ['quantity', 'price'],
      },
    },
    example: [{ quantity: 1, price: 19.99 }],
  },
  availability: {
    schema: {
      type: 'string',
      enum: ['in_stock', 'backorder', 'out_of_stock'],
      description: '`backorder`: not in stock, but can be ordered.',
    },
    example: 'in_stock',
  },
  quantity: {
    schema: {
      type: 'integer',
      minimum: 1,
      nullable: true,
      description: 'Units in stock, if there are only a few and the store shows that; else null.',
    },
    example: null,
  },
} as const;

/** The members of an image that shoppers see. */
export function shownImage(image: Value | undefined, members: readonly string[]): unknown {
  if (image === null || image === undefined) return null;
  return Object.fromEntries(members.map((member) => [member, (image as Record<string, Value>)[member]]));
}

/** What prices depend on besides the products. */
export function priceContext({ service, requestOptions, address, membership }: ShopReading) {
  const { language, defaultLanguage } = requestOptions;
  return {
    ...{ language, defaultLanguage, membership, now: service.clock.now() },
    currency: service.environment.settings.currency!,
    pause: () => nextTurn(),
    address: address && {
      ...{ country_code: address.country, state_name: address.state },
      ...{ zipcode: address.zipcode ?? null, city: address.city ?? null },
    },
  };
}

export const NO_FACTS = async (): Promise<object> => ({});

export function routeAt(
  { model }: Pick<Service, 'model'>,
  { resource, path }: Pick<ShopView, 'resource' | 'path'>,
): ModelRoute {
  return model.resources.get(resource)!.routes.find((route) => route.collectionPath === path)!;
}

/** The route of the engine's search, with the facets of the view only. */
export function facetedRoute(route: ModelRoute, view: ShopView): ModelRoute {
  const { path, facets } = route.faceted!;
  return { ...route, faceted: { path, facets: new Map(view.facets!.map((name) => [name, facets.get(name)!])) } };
}

export function parameter(name: string, operator: string | undefined, value: string): Parameter {
  return { name, operator, value, written: operator === undefined ? name : `${name}[${operator}]` };
}
