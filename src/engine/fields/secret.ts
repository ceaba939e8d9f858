/** A secret text such as a password. Only its hash is stored, and output and errors never contain its value. */
import { type Field, type FieldOptions, field } from '../field.ts';
import { text } from './text.ts';

interface SecretOptions extends Pick<FieldOptions, 'description' | 'example'> {
  readonly lengthMin: number;
  readonly lengthMax: number;
}

/** Null if there is none. A PUT without it leaves it unchanged, because no output contains it. */
export function secret({ lengthMin, lengthMax, ...about }: SecretOptions): Field {
  const { read, inputSchema } = text({ lengthMin, lengthMax });
  return field(
    { ...about, groups: ['all', 'insert', 'update'], nullable: true, preservedOnReplace: true },
    {
      kind: 'secret',
      storage: { in: 'column', type: 'text' },
      hashed: true,
      inputSchema: { ...inputSchema, format: 'password' },
      outputSchema: {},
      read,
    },
  );
}
