/** Rules that read masked fields of the record that a client writes (access.md §2). */
import type { Rights } from '../../access/rights.ts';
import type { ModelField, Problem } from '../../engine/index.ts';
import { insufficientScope } from './insufficient-scope.ts';

/** @returns undefined if the key has no masks */
export function readingCheck({ hidden, masks }: Rights): ((field: ModelField) => Problem | undefined) | undefined {
  if (!hidden || masks.length === 0) return undefined;
  return (field) => {
    const missing = hidden.masksOf([field]);
    return missing.length === 0 ? undefined : insufficientScope(missing, 'A rule of this write');
  };
}
