/** A list of distinct texts of one form, in their order. A write replaces all of it. */
import { messages, type Violations } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';
import { brokenCharacter } from './text.ts';

interface TextsOptions extends FieldOptions {
  readonly countMin: number;
  readonly countMax: number;
  /** Each text must match; `expected` completes the message "This value should be …". */
  readonly form: { readonly pattern: RegExp; readonly expected: string };
  /** Available to rules only; not stored. */
  readonly transient?: boolean;
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
    storage: options.transient ? { in: 'nothing' } : { in: 'column', type: 'json' },
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
      else checkElements(value, form, path, violations);
      return violations.list.length === before ? [...value] : undefined;
    },
  });
}

function checkElements(
  elements: readonly unknown[],
  { pattern, expected }: TextsOptions['form'],
  path: string,
  violations: Violations,
): void {
  for (const [index, element] of elements.entries()) {
    const at = `${path}[${index}]`;
    const broken = typeof element === 'string' ? brokenCharacter(element) : undefined;
    if (typeof element !== 'string') violations.add(at, 'type', messages.type('string'));
    else if (broken) violations.add(at, 'format', broken);
    else if (!pattern.test(element)) violations.add(at, 'format', `This value should be ${expected}.`);
    else if (elements.indexOf(element) < index) violations.add(at, 'not_unique', 'This value is already in the list.');
  }
}
