/**
 * Parses one line of a bulk write strictly. A line is the input of the record including its key, or an object with `op`
 * that contains key and body separately.
 */
import { messages, type Problem, Violations, validationFailed } from '../errors.ts';
import { isJsonObject, type JsonObject, readValue, rejectUnknownField } from '../fields/members.ts';
import { withoutSynonyms } from '../hints.ts';
import { readIdentifier } from '../model/addresses.ts';
import type { ModelField } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { BodyReading } from './body.ts';

interface BulkLine {
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

/** @param by the field that identifies records */
export function readBulkLine(by: ModelField, sent: JsonObject, reading: BodyReading): BulkLine | Problem {
  const violations = new Violations();
  const line = Object.hasOwn(sent, 'op')
    ? readOperation(by, sent, violations, reading)
    : {
        op: 'upsert' as const,
        ifMatch: undefined,
        body: sent,
        key: readKey(by, sent[by.name], by.name, violations, reading),
      };
  if (violations.list.length > 0) return validationFailed(violations.list);
  return line as BulkLine;
}

function readOperation(
  by: ModelField,
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
    ? readKey(by, sent.key, 'key', violations, reading)
    : readKey(by, input[by.name], `body.${by.name}`, violations, reading);
  return {
    op: op as BulkLine['op'],
    key,
    ifMatch: ifMatch as BulkLine['ifMatch'],
    body:
      hasSeparateKey && op === 'upsert' && !Object.hasOwn(input, by.name) ? { ...input, [by.name]: sent.key } : input,
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
