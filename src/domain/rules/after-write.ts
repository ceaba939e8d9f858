/** A record as a write leaves it. */
import type { Draft, Value } from '../../engine/vocabulary.ts';

/**
 * Returns the record after the write. A field of the stored record is only read when the rule reads it, because a write is
 * rejected if its rules read a stored value that the client cannot see.
 */
export function afterWrite<F extends string>({
  stored,
  values,
}: Pick<Draft<F>, 'stored' | 'values'>): Readonly<Partial<Record<F, Value>>> {
  return Object.assign(Object.create(stored ?? null), values);
}
