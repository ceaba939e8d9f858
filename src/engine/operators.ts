/** The operators of range filters (http.md §8), each in one row: which values it takes, its SQL, what the reference says. */

interface Operator {
  readonly takes: 'number' | 'moment';
  /** Between the column and the value; `between` takes two values. */
  readonly sql: '>' | '>=' | '<' | '<=' | 'between';
  /** Ends the sentence "Only those whose field is …". */
  readonly says: string;
}

export const operators = {
  gt: { takes: 'number', sql: '>', says: 'greater than this value' },
  gte: { takes: 'number', sql: '>=', says: 'this value or greater' },
  lt: { takes: 'number', sql: '<', says: 'less than this value' },
  lte: { takes: 'number', sql: '<=', says: 'this value or less' },
  between: { takes: 'number', sql: 'between', says: 'from the first to the second of two values, written `5..9`' },
  before: { takes: 'moment', sql: '<=', says: 'at this moment or before it' },
  strictly_before: { takes: 'moment', sql: '<', says: 'before this moment' },
  after: { takes: 'moment', sql: '>=', says: 'at this moment or after it' },
  strictly_after: { takes: 'moment', sql: '>', says: 'after this moment' },
} as const satisfies Record<string, Operator>;

export type OperatorName = keyof typeof operators;

/** The operators that a filter on such values has. */
export function operatorsFor(kind: string): OperatorName[] {
  const takes = kind === 'timestamp' ? 'moment' : kind === 'integer' || kind === 'float' ? 'number' : undefined;
  return (Object.keys(operators) as OperatorName[]).filter((name) => operators[name].takes === takes);
}
