/** Parses the query parameters of a view by their fields. Invalid input is a problem that names the parameter (http.md §2). */
import { shortened } from '../english-names.ts';
import { isProblem, type Problem, problem, Violations } from '../errors.ts';
import type { Field, Reading } from '../field.ts';
import { unknownParameter } from '../hints.ts';
import type { Value } from '../ports.ts';
import { parseWholeNumber, withPlusSigns } from './filter-values.ts';
import { FLAGS, type Parameter, parseQueryString } from './query-string.ts';

type Parameters = Readonly<Record<string, Field>>;

/**
 * Parses all parameters of a request.
 *
 * @param query the raw text after `?`
 * @returns values by name: those of the request, and defaults other than null. For a reference, the identifier. For a keyed
 *   parameter, a list of pairs of identifier and value
 */
export function readViewParameters(
  fields: Parameters,
  query: string,
  reading: Reading,
): Readonly<Record<string, Value>> | Problem {
  const parameters = query === '' ? [] : parseQueryString(query);
  if (isProblem(parameters)) return parameters;
  const sent = new Map<string, Value>();
  for (const parameter of parameters) {
    const field = Object.hasOwn(fields, parameter.name) ? fields[parameter.name] : undefined;
    const rejection = field?.keyed
      ? readKeyed(field.keyed, parameter, sent, reading)
      : readSingle(field, parameter, sent, reading, fields);
    if (rejection) return rejection;
  }
  return { ...defaultsOf(fields), ...Object.fromEntries(sent) };
}

/** Reads a parameter that has one value into `sent`. */
function readSingle(
  declared: Field | undefined,
  { name, operator, written, value }: Parameter,
  sent: Map<string, Value>,
  reading: Reading,
  fields: Parameters,
): Problem | undefined {
  const field = operator === undefined ? declared : undefined;
  if (!field)
    return reading.lenient ? undefined : problem('invalid-argument', unknownParameter(written, knownNames(fields)));
  if (sent.has(name) && !reading.lenient) return givenTwice(name);
  const read = readParameter(name, field, value, reading);
  if (isProblem(read)) return read;
  sent.set(name, read);
  return undefined;
}

/** Reads one value of a keyed parameter into `sent`. */
function readKeyed(
  { value: field, countMax }: NonNullable<Field['keyed']>,
  { name, written, value }: Parameter,
  sent: Map<string, Value>,
  reading: Reading,
): Problem | undefined {
  const shown = shortened(written);
  const id = parseWholeNumber(/^[^[]+\[(\d+)\]$/.exec(written)?.[1] ?? '');
  if (!id)
    return problem('invalid-argument', `"${shown}" has no id in brackets. Send "${name}[ID]", such as "${name}[7]=1".`);
  const pairs = (sent.get(name) ?? []) as [id: number, value: Value][];
  if (pairs.some(([other]) => other === id)) return givenTwice(shown);
  if (pairs.length === countMax)
    return problem('invalid-argument', `"${name}" has more than ${countMax} ids. Send fewer.`);
  const read = readParameter(shown, field, value, reading);
  if (isProblem(read)) return read;
  sent.set(name, [...pairs, [id, read]]);
  return undefined;
}

function givenTwice(name: string): Problem {
  return problem('invalid-argument', `The parameter "${name}" is given more than once. Send it once.`);
}

function knownNames(fields: Parameters): { readonly name: string; readonly synonyms: readonly string[] }[] {
  return Object.entries(fields).map(([name, { synonyms = [] }]) => ({ name, synonyms }));
}

function defaultsOf(fields: Parameters): Record<string, Value> {
  const defaults = Object.entries(fields).map(([name, field]) => [name, field.default] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== null));
}

/** Parses one parameter by its field. @returns its value; for a reference, the identifier */
export function readParameter(name: string, field: Field, text: string, reading: Reading): Value | Problem {
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
