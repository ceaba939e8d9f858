/** Parses values of requests that are not records: keys, users, roles. Each adds the violations that it finds. */
import { isScope } from '../access/scopes.ts';
import { type Model, messages, type Violations } from '../engine/index.ts';

/** Characters. */
const NAME_LENGTH_MAX = 255;

const SCOPES_MAX = 100;

const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

/** Checks the required name of a key, a user or a role. */
export function readName(name: unknown, violations: Violations): void {
  if (name === undefined) violations.add('name', 'required', messages.blank);
  else if (name === null) violations.add('name', 'null', messages.null);
  else if (typeof name !== 'string') violations.add('name', 'type', messages.type('string'));
  else if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    violations.add('name', 'format', 'The value must not contain control characters.');
  else if (BLANK.test(name)) violations.add('name', 'blank', messages.blank);
  else if ([...name].length > NAME_LENGTH_MAX) violations.add('name', 'too_long', messages.tooLong(NAME_LENGTH_MAX));
}

/** @returns the scopes as a set, in code point order */
export function readScopes(sent: unknown, model: Model, violations: Violations): readonly string[] {
  const scopes = readTexts('scopes', sent, { countMin: 1, countMax: SCOPES_MAX }, violations);
  for (const [index, scope] of scopes.entries())
    if (!isScope(model, scope))
      violations.add(`scopes[${index}]`, 'choice', 'There is no such scope. Use one that GET /scopes lists.');
  return [...new Set(scopes)].sort();
}

interface Counts {
  readonly countMin: number;
  readonly countMax: number;
}

/** @returns a list of texts; empty if it contains anything else */
export function readTexts(name: string, sent: unknown, counts: Counts, violations: Violations): readonly string[] {
  const list = readList(name, sent, counts, violations);
  const invalid = list.findIndex((each) => typeof each !== 'string');
  if (invalid >= 0) violations.add(`${name}[${invalid}]`, 'type', messages.type('string'));
  return invalid >= 0 ? [] : (list as readonly string[]);
}

/** @returns at most the allowed number of elements */
export function readList(
  name: string,
  sent: unknown,
  { countMin, countMax }: Counts,
  violations: Violations,
): readonly unknown[] {
  if (!Array.isArray(sent)) {
    violations.add(name, 'type', messages.type('array'));
    return [];
  }
  if (sent.length < countMin)
    violations.add(name, 'too_short', `This list is too short. It should have ${countMin} element or more.`);
  if (sent.length > countMax)
    violations.add(name, 'too_long', `This list is too long. It should have ${countMax} elements or less.`);
  return sent.slice(0, countMax);
}
