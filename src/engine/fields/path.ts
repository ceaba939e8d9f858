/** The path of a record in its tree: the shown fields of every record from the root to the record itself. */
import { type Field, type FieldOptions, field } from '../field.ts';

/** @param of the resource itself, whose records form a tree */
export function treePath(of: string, shown: readonly string[], options: Pick<FieldOptions, 'description'> = {}): Field {
  return field(
    { ...options, groups: ['read'] },
    {
      kind: 'treePath',
      storage: { in: 'path', of, shown },
      inputSchema: {},
      outputSchema: { type: 'array', items: { output: of, shown } },
      read: () => undefined,
    },
  );
}
