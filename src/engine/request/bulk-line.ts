/**
 * Parses one line of a bulk write strictly. A line is the input of the record including its key, or an object with `op`
 * that contains key and body separately.
 */
import { messages, type Problem, Violations, validationFailed } from '../errors.ts';
import { isJsonObject, type JsonObject, readMembers, readValue, rejectUnknownField } from '../fields/members.ts';
import { withoutSynonyms } from '../hints.ts';
import { readIdentifier } from '../model/addresses.ts';
import type { ModelField } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Collected } from '../resource.ts';
import type { BodyReading } from './body.ts';

export interface BulkLine {
  readonly op: 'upsert' | 'delete';
  /** The key in its stored form. */
  readonly key: Value;
  /** A version or an entity tag. */
  readonly ifMatch: number | string | undefined;
  /** Empty for a deletion. */
  readonly body: JsonObject;
}

const OPERATIONS = ['upsert', 'delete'];
const MEMBERS = ['op', 'key', 'if_match', 'body'];

/** How a line contains the key of its record. */
interface LineKey {
  /** The key in an input. */
  readonly in: (input: JsonObject) => unknown;
  /** @param at the path of the input that contains the key; undefined for the member `key` */
  readonly read: (key: unknown, at: string | undefined, violations: Violations) => Value | undefined;
  /** The input with the values of a key that it lacks. */
  readonly complete: (input: JsonObject, key: unknown) => JsonObject;
}

/** @param by the field that identifies records */
export function readBulkLine(by: ModelField, sent: JsonObject, reading: BodyReading): BulkLine | Problem {
  const key = keyOf(by, reading);
  const violations = new Violations();
  const line = Object.hasOwn(sent, 'op')
    ? readOperation(key, sent, violations, reading)
    : { op: 'upsert' as const, ifMatch: undefined, body: sent, key: key.read(key.in(sent), '', violations) };
  if (violations.list.length > 0) return validationFailed(violations.list);
  return line as BulkLine;
}

function keyOf(by: ModelField, reading: BodyReading): LineKey {
  const { collected } = by.resource.bulk!;
  if (!by.isIdentifier && collected) return collectedKey(collected, reading);
  return {
    in: (input) => input[by.name],
    read: (key, at, violations) =>
      readKey(by, key, at === undefined ? 'key' : pathIn(at, by.name), violations, reading),
    complete: (input, key) => (Object.hasOwn(input, by.name) ? input : { ...input, [by.name]: key }),
  };
}

/** A key of several fields, as an object in `key`. */
function collectedKey({ key: fields }: Collected, reading: BodyReading): LineKey {
  return {
    in: (input) => Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(fields, name))),
    read(key, at, violations) {
      if (!isJsonObject(key)) {
        violations.add('key', key === undefined ? 'required' : 'type', messages.type('object'));
        return undefined;
      }
      const read = readMembers({ fields }, key, at ?? 'key', violations, reading);
      return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, read[name] ?? field.default]));
    },
    complete: (input, key) => (isJsonObject(key) ? { ...key, ...input } : input),
  };
}

const pathIn = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

function readOperation(
  lineKey: LineKey,
  sent: JsonObject,
  violations: Violations,
  reading: BodyReading,
): { readonly [M in keyof BulkLine]: BulkLine[M] | undefined } {
  const { op, if_match: ifMatch, body } = sent;
  for (const name of Object.keys(sent))
    if (!MEMBERS.includes(name) && !reading.lenient) rejectUnknownField('', name, withoutSynonyms(MEMBERS), violations);
  if (op !== 'upsert' && op !== 'delete') violations.add('op', 'choice', messages.choice(OPERATIONS));
  if (ifMatch !== undefined && !isCondition(ifMatch))
    violations.add('if_match', 'type', 'This value should be a version, or the ETag of a response as a string.');
  if (op === 'upsert' && !isJsonObject(body))
    violations.add('body', body === undefined ? 'required' : 'type', messages.type('object'));
  if (op === 'delete' && body !== undefined)
    violations.add('body', 'contradiction', 'A deletion has no body. Leave it out.');
  const input = isJsonObject(body) ? body : {};
  const hasSeparateKey = Object.hasOwn(sent, 'key') || op === 'delete';
  const key = hasSeparateKey
    ? lineKey.read(sent.key, undefined, violations)
    : lineKey.read(lineKey.in(input), 'body', violations);
  return {
    op: op as BulkLine['op'],
    key,
    ifMatch: ifMatch as BulkLine['ifMatch'],
    body: hasSeparateKey && op === 'upsert' ? lineKey.complete(input, sent.key) : input,
  };
}

function isCondition(value: unknown): boolean {
  return typeof value === 'number' ? Number.isSafeInteger(value) && value > 0 : typeof value === 'string';
}

function readKey(
  by: ModelField,
  value: unknown,
  path: string,
  violations: Violations,
  reading: BodyReading,
): Value | undefined {
  if (value === undefined) {
    violations.add(path, 'required', `Each line must identify its record by “${by.name}”.`);
    return undefined;
  }
  if (by.isIdentifier) return readIdentifierOf(by, value, path, violations);
  const read: Record<string, Value> = {};
  readValue(by.name, by.field, value, path, read, violations, reading);
  // A record without a name could not be found by a later line.
  if (read[by.name] === '' || read[by.name] === null) violations.add(path, 'blank', messages.blank);
  return read[by.name];
}

function readIdentifierOf(
  { resource }: ModelField,
  value: unknown,
  path: string,
  violations: Violations,
): Value | undefined {
  const isNumber = resource.identifierType === 'integer';
  const id = typeof value === (isNumber ? 'number' : 'string') ? readIdentifier(resource, String(value)) : undefined;
  if (id === undefined) violations.add(path, 'type', 'This value should be the identifier of a record.');
  return id;
}
