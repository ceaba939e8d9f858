/** Whole numbers by identifier: a query parameter of a view with one value for each record, such as `items[7]=1`. */
import { type Field, type FieldOptions, field } from '../field.ts';
import { integer } from './number.ts';

interface NumbersByIdOptions extends Pick<FieldOptions, 'description' | 'example'> {
  readonly min: number;
  readonly max: number;
  /** Maximum number of identifiers. */
  readonly countMax: number;
  readonly synonyms?: readonly string[];
}

/** The value is a list of pairs of identifier and number, in the order of the request. */
export function numbersById({ min, max, countMax, synonyms, ...options }: NumbersByIdOptions): Field {
  const number = integer({ min, max });
  const schema = { type: 'object', additionalProperties: number.inputSchema, maxProperties: countMax } as const;
  return field(options, {
    kind: 'numbersById',
    storage: { in: 'nothing' },
    keyed: { value: number, countMax },
    ...(synonyms ? { synonyms } : {}),
    inputSchema: schema,
    outputSchema: schema,
    read: () => undefined,
  });
}
