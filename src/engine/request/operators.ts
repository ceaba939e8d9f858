/** The operators of filters (http.md §8): their values, SQL and description in the reference. */
import type { ModelFilter } from '../model/model.ts';

interface Operator {
  /** `link`: tests whether linked records exist. */
  readonly takes: 'number' | 'timestamp' | 'link';
  /** The SQL operator. `between` takes two values. */
  readonly sql: '>' | '>=' | '<' | '<=' | 'between' | 'exists';
  /** Completes the sentence "Only those whose field …". */
  readonly says: string;
}

export const operators = {
  gt: { takes: 'number', sql: '>', says: 'is greater than this value' },
  gte: { takes: 'number', sql: '>=', says: 'is this value or greater' },
  lt: { takes: 'number', sql: '<', says: 'is less than this value' },
  lte: { takes: 'number', sql: '<=', says: 'is this value or less' },
  between: { takes: 'number', sql: 'between', says: 'is from the first to the second of two values, written `5..9`' },
  before: { takes: 'timestamp', sql: '<=', says: 'is at this time or before it' },
  strictly_before: { takes: 'timestamp', sql: '<', says: 'is before this time' },
  after: { takes: 'timestamp', sql: '>=', says: 'is at this time or after it' },
  strictly_after: { takes: 'timestamp', sql: '>', says: 'is after this time' },
  exists: { takes: 'link', sql: 'exists', says: 'exists (`true`) or does not exist (`false`)' },
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof operators;

/** The operators that compare a column with one value. */
export type Comparison = Exclude<OperatorName, 'between' | 'exists'>;

/** The operators that a filter supports. */
export function operatorsFor({ kind, isLink }: Pick<ModelFilter, 'kind' | 'isLink'>): OperatorName[] {
  const ofKind = kind === 'timestamp' ? 'timestamp' : kind === 'integer' || kind === 'float' ? 'number' : undefined;
  const takes = isLink ? 'link' : ofKind;
  return (Object.keys(operators) as OperatorName[]).filter((name) => operators[name].takes === takes);
}
