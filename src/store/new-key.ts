/**
 * Parses the description of a new API key, from the command line or a request. Invalid values are rejected, never
 * guessed.
 */

import { isNetwork } from '../access/networks.ts';
import { isOrigin } from '../access/origins.ts';
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
import { readMasks, readName, readScopes, readTexts } from './read-values.ts';

/** Visible ASCII, because the key is sent in a header. */
const KEY = /^[!-~]{16,128}$/;

const KEY_KINDS = ['read-write', 'read-only', 'scoped', 'publishable'] as const;

const NETWORKS_MAX = 50;
const ORIGINS_MAX = 20;

const INPUT = ['name', 'kind', 'expires_at', 'key', 'scopes', 'masks', 'networks', 'origins'];

/** Read-only fields. */
const OUTPUT = ['id', 'last_used_at', 'created_at', 'source', 'old_expires_at', 'created_by'];

/**
 * Parses and validates a new key.
 * @param sent `name`; `kind`; `expires_at`, a future date or timestamp, or null for never; `key`, an existing key; `scopes` of
 * a scoped key, and `masks`; `networks`; `origins` of a publishable key
 * @param lenient ignores unknown fields and accepts the dates of release 5.5
 */
export function readNewKey(
  sent: JsonObject,
  { environment, clock, model }: Pick<Service, 'environment' | 'clock' | 'model'>,
  lenient = false,
): NewKey | Problem {
  const violations = new Violations();
  const { name, kind, expires_at: expiresAt = null, key = null, scopes, masks, networks = [], origins, ...rest } = sent;
  for (const field of lenient ? [] : Object.keys(rest)) {
    if (OUTPUT.includes(field)) violations.add(field, 'read_only', 'This field is read-only. Leave it out.');
    else rejectUnknownField('', field, withoutSynonyms(INPUT), violations);
  }
  readName(name, violations);
  if (kind === undefined) violations.add('kind', 'required', messages.blank);
  else if (!KEY_KINDS.some((each) => each === kind)) violations.add('kind', 'choice', messages.choice(KEY_KINDS));
  const expires = readExpiry(expiresAt, { lenient, now: clock.now(), timeZone: environment.timeZone }, violations);
  readKey(key, kind, violations);
  const granted = readScopesOf(kind, scopes, model, violations);
  const masked = readMasksOf(kind, masks, model, violations);
  const allowed = readTexts('networks', networks, { countMin: 0, countMax: NETWORKS_MAX }, violations);
  for (const [index, each] of allowed.entries())
    if (!isNetwork(each))
      violations.add(
        `networks[${index}]`,
        'format',
        'This value is not a CIDR range. Use one such as 192.0.2.0/24 or 2001:db8::/32.',
      );
  const pages = readOrigins(kind, origins, violations);
  if (violations.list.length > 0) return validationFailed(violations.list);
  const plain = {
    name: name as string,
    kind: kind as NewKey['kind'],
    expires,
    key: (key as string | null) ?? undefined,
  };
  return { ...plain, scopes: granted, masks: masked, networks: allowed, origins: pages };
}

function readKey(key: unknown, kind: unknown, violations: Violations): void {
  if (key === null) return;
  if (kind === 'publishable') violations.add('key', 'conflict', 'The store creates publishable keys. Omit the key.');
  else if (typeof key !== 'string') violations.add('key', 'type', messages.type('string'));
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

/** @returns the scopes; undefined if the key is not a scoped one */
function readScopesOf(
  kind: unknown,
  sent: unknown,
  model: Model,
  violations: Violations,
): readonly string[] | undefined {
  if (kind !== 'scoped') {
    if (sent !== undefined)
      violations.add('scopes', 'conflict', 'Only a key of the kind "scoped" has scopes. Omit them.');
    return undefined;
  }
  if (sent === undefined) {
    violations.add('scopes', 'conflict', 'A key of the kind "scoped" needs scopes. Send some that GET /scopes lists.');
    return undefined;
  }
  return readScopes(sent, model, violations);
}

/** @returns the masks; undefined if the key is not a scoped one */
function readMasksOf(
  kind: unknown,
  sent: unknown,
  model: Model,
  violations: Violations,
): readonly string[] | undefined {
  if (sent === undefined) return kind === 'scoped' ? [] : undefined;
  if (kind !== 'scoped') {
    violations.add('masks', 'conflict', 'Only a key of the kind "scoped" has masks. Omit them.');
    return undefined;
  }
  return readMasks(sent, model, violations);
}

/** @returns the origins; undefined if the key is not publishable */
function readOrigins(kind: unknown, sent: unknown, violations: Violations): readonly string[] | undefined {
  if (kind !== 'publishable') {
    if (sent !== undefined)
      violations.add('origins', 'conflict', 'Only a key of the kind "publishable" has origins. Omit them.');
    return undefined;
  }
  if (sent === undefined) {
    violations.add('origins', 'required', messages.blank);
    return undefined;
  }
  const origins = readTexts('origins', sent, { countMin: 1, countMax: ORIGINS_MAX }, violations);
  for (const [index, origin] of origins.entries())
    if (!isOrigin(origin))
      violations.add(
        `origins[${index}]`,
        'format',
        'This value is not an origin. Use one such as https://shop.example.com or https://*.example.com, in lower case, without path and default port. http: is only for the same machine, such as http://localhost:3000.',
      );
    else if (origins.indexOf(origin) < index) violations.add(`origins[${index}]`, 'not_unique', messages.notUnique);
  return origins;
}
