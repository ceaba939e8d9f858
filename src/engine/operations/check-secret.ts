/**
 * Compares a secret with that of the record that a text names. Neither the response nor its time reveals whether the
 * record exists: a hash is always compared.
 */
import { isProblem, type Problem, Violations, validationFailed } from '../errors.ts';
import type { JsonObject } from '../fields/members.ts';
import type { ModelSecretCheck } from '../model/model.ts';
import type { Stored } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import { looseMatch } from '../text-forms.ts';
import { readInput } from '../unit/read-input.ts';
import { committed } from '../unit/reads.ts';
import type { RequestOptions, Service, Target, Written } from '../unit/service.ts';
import { inUnit, type Unit } from '../unit/unit.ts';

/** The two texts to compare. */
interface SecretSent {
  readonly by: string;
  readonly secret: string;
}

/** @returns the two texts, or all violations of the body */
export function readSecretSent(
  service: Service,
  requestOptions: RequestOptions,
  check: ModelSecretCheck,
  sent: JsonObject,
): SecretSent | Problem {
  const body = readInput(service, requestOptions, check.input, sent);
  if (isProblem(body)) return body;
  return { by: body[check.by.name] as string, secret: body[check.secret.name] as string };
}

/**
 * @param releaseSlotDuring runs slow work without an admission slot
 * @returns the record with updated timestamps; undefined if the secret does not match
 */
export function checkSecret(
  service: Service,
  requestOptions: RequestOptions,
  check: ModelSecretCheck,
  sent: SecretSent,
  releaseSlotDuring: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Written | undefined> {
  return withSecret(service, requestOptions, check, sent, releaseSlotDuring, async (unit, current, target) => {
    const { first, last } = check.declaration;
    await unit.update(check.by.resource.name, target.id!, { [first]: current[first] ?? unit.now, [last]: unit.now });
    return { ...(await unit.shown(target))!, target };
  });
}

/**
 * Like `checkSecret`, with other work after a match. The record is locked, and its timestamps are not updated.
 * @returns the result of the work; undefined if the secret does not match
 */
export async function withSecret<T>(
  service: Service,
  requestOptions: RequestOptions,
  check: ModelSecretCheck,
  sent: SecretSent,
  releaseSlotDuring: <R>(slow: () => Promise<R>) => Promise<R>,
  work: (unit: Unit, current: Stored, target: Target) => Promise<T>,
): Promise<T | undefined> {
  const { by, secret, declaration } = check;
  const { resource } = by;
  const isEligible = (stored: Stored): boolean =>
    Object.entries(declaration.only).every(([name, value]) => stored[name] === value);
  const reads = committed(service, requestOptions);
  const text = looseMatch(sent.by);
  const [row] = await reads.query(`loosely ${resource.name}.${by.name}`, lookUps.findLoosely(by), { text });
  const found = await reads.read(resource.name, row?.[0] === undefined ? NO_RECORD : (row[0] as number));
  const hash = (found?.[secret.name] ?? undefined) as string | undefined;
  const isMatch = await releaseSlotDuring(() => service.secrets.matches(sent.secret, hash));
  if (!found || !isMatch || !isEligible(found)) return undefined;
  const target: Target = { route: resource.routes[0]!, parents: [], id: found[resource.identifierField]! };
  return inUnit(service, requestOptions, async (unit) => {
    const [current] = await unit.hold(resource.name, [target.id!]);
    // It may have been changed or disabled during the comparison.
    if (!current || current[secret.name] !== hash || !isEligible(current)) return undefined;
    return work(unit, current, target);
  });
}

/** An identifier of no record, so that the database does the same work if no record was found. */
const NO_RECORD = -1;

/** The same problem for an unknown text, a wrong secret, and a record that is not eligible. */
export function wrongSecret({ by, secret }: ModelSecretCheck): Problem {
  const violations = new Violations();
  const message = `This ${secret.name} does not match this ${by.name}, or it cannot be used now.`;
  violations.add(secret.name, 'conflict', message);
  return validationFailed(violations.list);
}
