/** Parses the query parameters of a view by their fields. Invalid input is a problem that names the parameter (http.md §2). */
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem, Violations } from '../errors.ts';
import type { Field, Reading } from '../field.ts';
import { unknownParameter } from '../hints.ts';
import type { Value } from '../ports.ts';
import { parseWholeNumber, withPlusSigns } from './filter-values.ts';
import { FLAGS, parseQueryString } from './query-string.ts';

type Parameters = Readonly<Record<string, Field>>;

/**
 * Parses all parameters of a request.
 *
 * @param query the raw text after `?`
 * @returns values by name: those of the request, and defaults other than null; for a reference, the identifier
 */
export function readViewParameters(
  fields: Parameters,
  query: string,
  reading: Reading,
): Readonly<Record<string, Value>> | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const sent = new Map<string, Value>();
  for (const { name, operator, written, value } of parameters) {
    const field = operator === undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field && reading.lenient) continue;
    if (!field) return problem('invalid-argument', unknownParameter(written, knownNames(fields)));
    if (sent.has(name) && !reading.lenient)
      return problem('invalid-argument', `The parameter "${name}" is given more than once. Send it once.`);
    const read = readParameter(name, field, value, reading);
    if (isProblem(read)) return read;
    sent.set(name, read);
  }
  return { ...defaultsOf(fields), ...Object.fromEntries(sent) };
}

function knownNames(fields: Parameters): { readonly name: string; readonly synonyms: readonly string[] }[] {
  return Object.entries(fields).map(([name, { synonyms = [] }]) => ({ name, synonyms }));
}

function defaultsOf(fields: Parameters): Record<string, Value> {
  const defaults = Object.entries(fields).map(([name, field]) => [name, field.default] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== null));
}

function readParameter(name: string, field: Field, text: string, reading: Reading): Value | Problem {
  const value = jsonValue(field, text);
  if (value === undefined) {
    const expected = field.filter === 'boolean' ? 'true or false' : 'a whole number';
    return problem('invalid-argument', `"${name}" should be ${expected}; it is "${shortened(text)}".`);
  }
  const violations = new Violations();
  const read = field.read(value, name, violations, reading);
  if (read === undefined)
    return problem('invalid-argument', `"${name}" is "${shortened(text)}". ${violations.list[0]!.message}`);
  return field.storage.in === 'link' && read !== null ? (read as { readonly id: number }).id : read;
}

/** Converts the text to the value that the field has in a body. */
function jsonValue({ filter }: Field, text: string): Value | undefined {
  switch (filter) {
    case 'boolean':
      return Object.hasOwn(FLAGS, text) ? FLAGS[text] : undefined;
    case 'integer':
    case 'identifier':
      return parseWholeNumber(text);
    case 'timestamp':
      return withPlusSigns(text);
    default:
      return text;
  }
}
