/** The operators of filters (http.md §8), each in one row: which values it takes, its SQL, what the reference says. */
import type { ModelFilter } from '../model/model.ts';

interface Operator {
  /** `link`: of records at the other end of a field, whether there are any. */
  readonly takes: 'number' | 'moment' | 'link';
  /** Between the column and the value; `between` takes two values. */
  readonly sql: '>' | '>=' | '<' | '<=' | 'between' | 'exists';
  /** Ends the sentence "Only those whose field …". */
  readonly says: string;
}

export const operators = {
  gt: { takes: 'number', sql: '>', says: 'is greater than this value' },
  gte: { takes: 'number', sql: '>=', says: 'is this value or greater' },
  lt: { takes: 'number', sql: '<', says: 'is less than this value' },
  lte: { takes: 'number', sql: '<=', says: 'is this value or less' },
  between: { takes: 'number', sql: 'between', says: 'is from the first to the second of two values, written `5..9`' },
  before: { takes: 'moment', sql: '<=', says: 'is at this moment or before it' },
  strictly_before: { takes: 'moment', sql: '<', says: 'is before this moment' },
  after: { takes: 'moment', sql: '>=', says: 'is at this moment or after it' },
  strictly_after: { takes: 'moment', sql: '>', says: 'is after this moment' },
  exists: { takes: 'link', sql: 'exists', says: 'is there (`true`), or is not (`false`)' },
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof operators;

/** The operators between a column and one value. */
export type Comparison = Exclude<OperatorName, 'between' | 'exists'>;

/** The operators that a filter has. */
export function operatorsFor({ kind, isLink }: Pick<ModelFilter, 'kind' | 'isLink'>): OperatorName[] {
  const ofKind = kind === 'timestamp' ? 'moment' : kind === 'integer' || kind === 'float' ? 'number' : undefined;
  const takes = isLink ? 'link' : ofKind;
  return (Object.keys(operators) as OperatorName[]).filter((name) => operators[name].takes === takes);
}
