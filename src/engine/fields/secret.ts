/** A text that a person keeps secret. Only a hash of it is stored, output never has it, and nothing tells its value. */
import { type Field, type FieldOptions, field } from '../field.ts';
import { text } from './text.ts';

interface SecretOptions extends Pick<FieldOptions, 'description' | 'example'> {
  readonly lengthMin: number;
  readonly lengthMax: number;
}

/** Null where there is none. A PUT that leaves it out keeps it, because no output has it. */
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
