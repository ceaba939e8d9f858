/**
 * Takes past orders down in the store, each in a unit of its own, through the store's own checks. The order_number
 * decides: an order that is there stays as it is.
 */
import { createHash } from 'node:crypto';
import {
  type Caller,
  canonicalText,
  create,
  firstDifference,
  inUnit,
  isProblem,
  type JsonObject,
  type ModelField,
  type Problem,
  type Reads,
  readBody,
  readingOf,
  type Service,
  type ShownRecord,
  type Unit,
  type Value,
  type Written,
} from '../../engine/index.ts';
import { ownCaller, placeOf, targetAt } from '../../store/own-requests.ts';
import type { Problems } from '../api/store-api.ts';

/** An order as a line has it. */
interface PastOrder {
  /** Undefined where it is nothing that could be looked for. */
  readonly number: string | undefined;
  readonly body: JsonObject;
}

export type Taken =
  | { readonly outcome: 'created' | 'unchanged' }
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly problems: Problems };

export type TakeOrder = (order: PastOrder) => Promise<Taken>;

/** The store has an order of this number; `difference` is undefined where both say the same. */
interface Known {
  readonly difference: string | undefined;
}

/** @param dryRun every unit is undone */
export function takeOrders(service: Service, language: string, dryRun: boolean): TakeOrder {
  const place = placeOf(service, 'Order');
  const byNumber = place.resource.places.find(({ item }) => item?.name === 'order_number')!;
  const caller: Caller = { ...ownCaller(language), past: true };
  const reading = readingOf(service, caller);
  /** The orders that a dry run would have created by now: digests of their lines, by number. */
  const triedOut = new Map<string, string>();

  async function find(reads: Reads, number: string): Promise<ShownRecord | undefined> {
    return (await reads.shown(targetAt(byNumber, { id: number })))?.record;
  }

  async function attempt({ number, body }: PastOrder): Promise<Taken | undefined> {
    const said = readBody(place, 'create', body, reading);
    const { sent, violations } = said;
    // A line with violations is refused for those, whatever the store has.
    const wanted = violations.list.length > 0 ? undefined : number;
    const triedBefore = wanted === undefined ? undefined : triedOut.get(wanted);
    if (triedBefore !== undefined)
      return triedBefore === digestOf(canonicalText(place, sent, service.world, isForeign))
        ? { outcome: 'unchanged' }
        : { outcome: 'skipped', reason: 'an earlier line has this order_number and says something else' };

    const taken = dryRun ? readBody(place, 'create', uncounted(body), reading) : said;
    const tried = await (dryRun ? undone : inUnit)(
      service,
      caller,
      async (unit): Promise<Known | Written | Problem> => {
        const found = wanted === undefined ? undefined : await find(unit, wanted);
        if (found) return { difference: firstDifference(place, sent, found, service.world, isForeign) };
        return create(unit, targetAt(place), taken);
      },
    );
    if (isProblem(tried)) {
      const problems = problemsOf(tried);
      return problems.length === 0 ? undefined : { outcome: 'failed', problems };
    }
    if ('difference' in tried) {
      const { difference: reason } = tried;
      return reason === undefined ? { outcome: 'unchanged' } : { outcome: 'skipped', reason };
    }
    if (dryRun && number !== undefined)
      triedOut.set(number, digestOf(canonicalText(place, sent, service.world, isForeign)));
    return { outcome: 'created' };
  }

  /** A number in digits raises the store's sequence, which PostgreSQL does not undo. */
  function uncounted(body: JsonObject): JsonObject {
    const { order_number: number } = body;
    return typeof number === 'string' && /^\d{1,15}$/.test(number) ? { ...body, order_number: service.uuid() } : body;
  }

  return async (order) =>
    (await attempt(order)) ??
    // Somebody made an order of this number just now, so this time it is found.
    (await attempt(order)) ?? { outcome: 'skipped', reason: 'another order has just got this order_number' };
}

/** Where there is a SKU, the product's identifier may be another store's. */
function isForeign(_link: ModelField, part: Readonly<Record<string, Value>>): boolean {
  return part.sku !== undefined;
}

/** Does the work in a unit of which nothing stays. */
async function undone<T>(service: Service, caller: Caller, work: (unit: Unit) => Promise<T>): Promise<T> {
  let outcome: { readonly of: T } | undefined;
  try {
    await inUnit(service, caller, async (unit) => {
      outcome = { of: await work(unit) };
      // Only what fails is undone.
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return outcome!.of;
}

class Undone extends Error {
  override readonly name = 'Undone';
}

/** That the number is taken is no fault of the line: the order is known, or will be found. */
function problemsOf({ violations, detail }: Problem): Problems {
  if (!violations) return [{ path: '', message: detail }];
  return violations
    .filter(({ code }) => code !== 'not_unique')
    .map(({ propertyPath: path, message }) => ({ path, message }));
}

const DIGEST_LENGTH = 16;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, DIGEST_LENGTH);
}
