/**
 * Parses the description of a new API key, from the command line or a request. Invalid values are rejected, never
 * guessed.
 */
import { isNetwork } from '../access/networks.ts';
import { isScope } from '../access/scopes.ts';
import {
  formsFor,
  type JsonObject,
  type Model,
  messages,
  type Problem,
  readTimestampFor,
  rejectUnknownField,
  type Service,
  type TimestampReading,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../engine/index.ts';
import type { NewKey } from './keys.ts';

/** Characters. */
const KEY_NAME_LENGTH_MAX = 255;

/** Visible ASCII, because the key is sent in a header. */
const KEY = /^[!-~]{16,128}$/;

const KEY_KINDS = ['read-write', 'read-only', 'scoped'] as const;

const SCOPES_MAX = 100;
const NETWORKS_MAX = 50;

const INPUT = ['name', 'kind', 'expires_at', 'key', 'scopes', 'networks'];

/** Read-only fields. */
const OUTPUT = ['id', 'last_used_at', 'created_at', 'source', 'old_expires_at', 'created_by'];

const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * Parses and validates a new key.
 * @param sent `name`; `kind`; `expires_at`, a future date or timestamp, or null for never; `key`, an existing key; `scopes` of
 * a scoped key; `networks`
 * @param lenient ignores unknown fields and accepts the dates of release 5.5
 */
export function readNewKey(
  sent: JsonObject,
  { environment, clock, model }: Pick<Service, 'environment' | 'clock' | 'model'>,
  lenient = false,
): NewKey | Problem {
  const violations = new Violations();
  const { name, kind, expires_at: expiresAt = null, key = null, scopes, networks = [], ...rest } = sent;
  for (const field of lenient ? [] : Object.keys(rest)) {
    if (OUTPUT.includes(field)) violations.add(field, 'read_only', 'This field is read-only. Leave it out.');
    else rejectUnknownField('', field, withoutSynonyms(INPUT), violations);
  }
  readName(name, violations);
  if (kind === undefined) violations.add('kind', 'required', messages.blank);
  else if (!KEY_KINDS.some((each) => each === kind)) violations.add('kind', 'choice', messages.choice(KEY_KINDS));
  const expires = readExpiry(expiresAt, { lenient, now: clock.now(), timeZone: environment.timeZone }, violations);
  readKey(key, violations);
  const granted = readScopes(scopes, kind, model, violations);
  const allowed = readList('networks', networks, { countMin: 0, countMax: NETWORKS_MAX }, violations);
  for (const [index, each] of allowed.entries())
    if (!isNetwork(each))
      violations.add(
        `networks[${index}]`,
        'format',
        'This value is not a CIDR range. Use one such as 192.0.2.0/24 or 2001:db8::/32.',
      );
  if (violations.list.length > 0) return validationFailed(violations.list);
  const plain = {
    name: name as string,
    kind: kind as NewKey['kind'],
    expires,
    key: (key as string | null) ?? undefined,
  };
  return { ...plain, scopes: granted, networks: allowed };
}

function readName(name: unknown, violations: Violations): void {
  if (name === undefined) violations.add('name', 'required', messages.blank);
  else if (name === null) violations.add('name', 'null', messages.null);
  else if (typeof name !== 'string') violations.add('name', 'type', messages.type('string'));
  else if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    violations.add('name', 'format', 'The value must not contain control characters.');
  else if (BLANK.test(name)) violations.add('name', 'blank', messages.blank);
  else if ([...name].length > KEY_NAME_LENGTH_MAX)
    violations.add('name', 'too_long', messages.tooLong(KEY_NAME_LENGTH_MAX));
}

function readKey(key: unknown, violations: Violations): void {
  if (key === null) return;
  if (typeof key !== 'string') violations.add('key', 'type', messages.type('string'));
  else if (!KEY.test(key))
    violations.add('key', 'format', 'A key has 16 to 128 visible ASCII characters, without spaces.');
}

function readExpiry(sent: unknown, reading: TimestampReading, violations: Violations): number | undefined {
  if (sent === null) return undefined;
  if (typeof sent !== 'string') {
    violations.add('expires_at', 'type', messages.type('string'));
    return undefined;
  }
  const timestamp = readTimestampFor(reading, sent);
  if (!timestamp)
    violations.add('expires_at', 'format', `This value is not a valid date-time. Use ${formsFor(reading)}.`);
  else if (timestamp.seconds <= reading.now) violations.add('expires_at', 'range', 'The time must be in the future.');
  return timestamp?.seconds;
}

/** @returns the scopes as a set, in code point order; undefined if the key is not a scoped one */
function readScopes(sent: unknown, kind: unknown, model: Model, violations: Violations): readonly string[] | undefined {
  if (kind !== 'scoped') {
    if (sent !== undefined)
      violations.add('scopes', 'conflict', 'Only a key of the kind "scoped" has scopes. Omit them.');
    return undefined;
  }
  if (sent === undefined) {
    violations.add('scopes', 'conflict', 'A key of the kind "scoped" needs scopes. Send some that GET /scopes lists.');
    return undefined;
  }
  const scopes = readList('scopes', sent, { countMin: 1, countMax: SCOPES_MAX }, violations);
  for (const [index, scope] of scopes.entries())
    if (!isScope(model, scope))
      violations.add(`scopes[${index}]`, 'choice', 'There is no such scope. Use one that GET /scopes lists.');
  return [...new Set(scopes)].sort();
}

function readList(
  name: string,
  sent: unknown,
  { countMin, countMax }: { readonly countMin: number; readonly countMax: number },
  violations: Violations,
): readonly string[] {
  if (!Array.isArray(sent)) {
    violations.add(name, 'type', messages.type('array'));
    return [];
  }
  if (sent.length < countMin)
    violations.add(name, 'too_short', `This list is too short. It should have ${countMin} element or more.`);
  if (sent.length > countMax)
    violations.add(name, 'too_long', `This list is too long. It should have ${countMax} elements or less.`);
  const invalid = sent.findIndex((each) => typeof each !== 'string');
  if (invalid >= 0) violations.add(`${name}[${invalid}]`, 'type', messages.type('string'));
  return invalid >= 0 ? [] : (sent as string[]).slice(0, countMax);
}
