/**
 * Compares a secret with the one of the record that a text names. Nobody learns from the answer, or from the time that it
 * takes, whether there is such a record: a hash is made and compared either way.
 */
import { type Problem, Violations, validationFailed } from '../errors.ts';
import type { JsonObject } from '../fields/members.ts';
import type { ModelSecretCheck } from '../model/model.ts';
import { readActionBody } from '../request/body.ts';
import type { Stored } from '../rules.ts';
import * as lookUps from '../sql/lookups.ts';
import { looseMatch } from '../text-forms.ts';
import { committed } from '../unit/reads.ts';
import { type RequestOptions, readingOf, type Service, type Target, type Written } from '../unit/service.ts';
import { inUnit } from '../unit/unit.ts';

/** A request to compare: both texts, in their own forms. */
interface SecretSent {
  readonly by: string;
  readonly secret: string;
}

/** @returns the two texts, or every rule that the body breaks */
export function readSecretSent(
  service: Service,
  requestOptions: RequestOptions,
  check: ModelSecretCheck,
  sent: JsonObject,
): SecretSent | Problem {
  const body = readActionBody(service.model, check, new Set(), sent, readingOf(service, requestOptions));
  if (body.violations.list.length > 0) return validationFailed(body.violations.list);
  return { by: body.sent[check.by.name] as string, secret: body.sent[check.secret.name] as string };
}

/** The name under which attempts for one record are counted, whether or not there is one. */
export function attemptedAs({ by }: SecretSent): string {
  return looseMatch(by);
}

/**
 * @param aside runs slow work that needs no turn among the writes
 * @returns the record, with the moments of this time; undefined where the secret is not its own
 */
export async function checkSecret(
  service: Service,
  requestOptions: RequestOptions,
  check: ModelSecretCheck,
  sent: SecretSent,
  releaseSlotDuring: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Written | undefined> {
  const { by, secret, declaration } = check;
  const { resource } = by;
  const counts = (stored: Stored): boolean =>
    Object.entries(declaration.only).every(([name, value]) => stored[name] === value);
  const reads = committed(service, requestOptions);
  const text = looseMatch(sent.by);
  const [row] = await reads.ask(`loosely ${resource.name}.${by.name}`, lookUps.findLoosely(by), { text });
  const found = await reads.read(resource.name, row?.[0] === undefined ? NOBODY : (row[0] as number));
  const hash = (found?.[secret.name] ?? undefined) as string | undefined;
  const isRight = await releaseSlotDuring(() => service.secrets.matches(sent.secret, hash));
  if (!found || !isRight || !counts(found)) return undefined;
  const target: Target = { route: resource.routes[0]!, parents: [], id: found[resource.identifierField]! };
  return inUnit(service, requestOptions, async (unit) => {
    const [held] = await unit.hold(resource.name, [target.id!]);
    // It may have been changed or disabled meanwhile.
    if (!held || held[secret.name] !== hash || !counts(held)) return undefined;
    const { first, last } = declaration;
    await unit.update(resource.name, target.id!, { [first]: held[first] ?? unit.now, [last]: unit.now });
    return { ...(await unit.shown(target))!, target };
  });
}

/** No record has this identifier: the same is asked of the database where there is none. */
const NOBODY = -1;

/** The same for an unknown text, a wrong secret, and a record whose secret does not count. */
export function wrongSecret({ by, secret }: ModelSecretCheck): Problem {
  const violations = new Violations();
  const message = `This ${secret.name} and this ${by.name} do not belong together, or may not be used now.`;
  violations.add(secret.name, 'conflict', message);
  return validationFailed(violations.list);
}
