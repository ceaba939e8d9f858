/**
 * Hashes the secrets of a body before the unit that stores it, because hashing is slow and would block other writes.
 */
import type { ModelRoute } from '../model/model.ts';
import type { Body } from '../request/body.ts';
import type { Service } from '../unit/service.ts';
import type { Surroundings } from './images/images.ts';

/** @returns the body with hashes instead of secrets; an invalid body, which is rejected anyway, has none of them */
export async function withoutSecrets(
  { secrets }: Pick<Service, 'secrets'>,
  { fields }: ModelRoute,
  body: Body,
  { releaseSlotDuring = (work) => work() }: Pick<Surroundings, 'releaseSlotDuring'>,
): Promise<Body> {
  const sent = { ...body.sent };
  let hasSecrets = false;
  for (const { name, field } of fields.values()) {
    const secret = field.hashed ? sent[name] : undefined;
    if (typeof secret !== 'string') continue;
    hasSecrets = true;
    if (body.violations.list.length > 0) delete sent[name];
    else sent[name] = await releaseSlotDuring(() => secrets.hash(secret));
  }
  return hasSecrets ? { ...body, sent } : body;
}
