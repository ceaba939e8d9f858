/** Declaration of a field that only lists have: its values depend on parameters of the request and are computed on read. */
import type { Environment, Field } from './field.ts';
import type { Value } from './ports.ts';
import type { Reads, Uses } from './rules.ts';

/** Values of a list field for the parameters of one request. */
export interface ListFieldValues {
  /** Seconds since 1970: when a value may change although no record changes. Undefined if never. */
  readonly endsAt: number | undefined;
  /** Computes the values of records by identifier, without those of unknown records. Values are numbers. */
  readonly of: (ids: readonly Value[]) => Promise<ReadonlyMap<Value, number>>;
}

/** What the values depend on, besides the records that `of` reads. */
interface ListFieldContext {
  /** Values of the parameters, with their defaults. */
  readonly parameters: Readonly<Record<string, Value>>;
  readonly environment: Environment;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * A field that lists show, filter and sort by if the client sends its parameters (`price_for[membership]=3`). Filters have the
 * operators of its kind. Identifiers of its resource are integers.
 */
export interface ListField<B extends Uses = Uses, U extends Uses = Uses, Basis = unknown> {
  readonly name: string;
  /** Kind, description and example of the values. They have no column. */
  readonly field: Field;
  /** By the name in brackets. A reference is sent as an id, which must exist. The field needs those that are required. */
  readonly parameters: Readonly<Record<string, Field>>;
  /** Reads what the values of all records have in common. The result is kept until a record of these resources changes. */
  readonly basis: (reads: Reads<B>) => Promise<Basis>;
  readonly values: (basis: Basis, reads: Reads<U>, context: ListFieldContext) => ListFieldValues;
  /** Set by `listField`. */
  readonly uses?: { readonly basis: Uses; readonly values: Uses };
}

/** Declares a list field, and the fields that its basis and its values use. */
export function listField<const B extends Uses, const U extends Uses, Basis>(
  uses: { readonly basis: B; readonly values: U },
  declared: ListField<NoInfer<B>, NoInfer<U>, Basis>,
): ListField {
  return { ...(declared as unknown as ListField), uses };
}
