/**
 * Parses the description of a new API key, from the command line or a request. Invalid values are rejected, never
 * guessed.
 */
import {
  formsFor,
  type JsonObject,
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

const KEY_KINDS = ['read-write', 'read-only'] as const;

const INPUT = ['name', 'kind', 'expires_at', 'key'];

/** Read-only fields. */
const OUTPUT = ['id', 'last_used_at', 'created_at', 'source', 'old_expires_at'];

const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * Parses and validates a new key.
 * @param sent `name`; `kind`; `expires_at`, a future date or timestamp, or null for never; `key`, an existing key
 * @param lenient ignores unknown fields and accepts the dates of release 5.5
 */
export function readNewKey(
  sent: JsonObject,
  { environment, clock }: Pick<Service, 'environment' | 'clock'>,
  lenient = false,
): NewKey | Problem {
  const violations = new Violations();
  const { name, kind, expires_at: expiresAt = null, key = null, ...rest } = sent;
  for (const field of lenient ? [] : Object.keys(rest)) {
    if (OUTPUT.includes(field)) violations.add(field, 'read_only', 'This field is read-only. Leave it out.');
    else rejectUnknownField('', field, withoutSynonyms(INPUT), violations);
  }
  readName(name, violations);
  if (kind === undefined) violations.add('kind', 'required', messages.blank);
  else if (!KEY_KINDS.some((each) => each === kind)) violations.add('kind', 'choice', messages.choice(KEY_KINDS));
  const expires = readExpiry(expiresAt, { lenient, now: clock.now(), timeZone: environment.timeZone }, violations);
  readKey(key, violations);
  if (violations.list.length > 0) return validationFailed(violations.list);
  return { name: name as string, kind: kind as NewKey['kind'], expires, key: (key as string | null) ?? undefined };
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
