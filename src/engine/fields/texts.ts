/** A list of texts of one form, each once, in their order; a write replaces it whole. */
import { messages } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';

interface TextsOptions extends FieldOptions {
  readonly countMin: number;
  readonly countMax: number;
  /** Each text must match; `expected` says in words what it should look like. */
  readonly form: { readonly pattern: RegExp; readonly expected: string };
}

export function texts({ countMin, countMax, form, ...options }: TextsOptions): Field {
  const schema = {
    type: 'array',
    items: { type: 'string', pattern: form.pattern.source },
    minItems: countMin,
    maxItems: countMax,
  };
  return field(options, {
    kind: 'texts',
    storage: { in: 'column', type: 'json' },
    default: [],
    inputSchema: schema,
    outputSchema: schema,
    read(value, path, violations) {
      if (!Array.isArray(value)) {
        violations.add(path, 'type', messages.type('array'));
        return undefined;
      }
      const before = violations.list.length;
      if (value.length < countMin)
        violations.add(path, 'too_short', `This list should have ${countMin} elements or more.`);
      if (value.length > countMax)
        violations.add(path, 'too_long', `This list is too long. It should have ${countMax} elements or less.`);
      else
        for (const [index, element] of value.entries()) {
          const at = `${path}[${index}]`;
          if (typeof element !== 'string') violations.add(at, 'type', messages.type('string'));
          else if (!form.pattern.test(element)) violations.add(at, 'format', `This value should be ${form.expected}.`);
          else if (value.indexOf(element) < index)
            violations.add(at, 'not_unique', 'This value stands in the list already.');
        }
      return violations.list.length === before ? [...value] : undefined;
    },
  });
}
