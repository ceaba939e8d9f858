/**
 * Takes past orders down in the store, each in a transaction of its own, through the store's own checks. The order_number
 * decides: an order that is there stays as it is.
 */
import { createHash } from 'node:crypto';
import { readBody } from '../../engine/body.ts';
import { isProblem, type Problem, problem } from '../../engine/errors.ts';
import type { JsonObject } from '../../engine/fields/members.ts';
import { create } from '../../engine/operations/create.ts';
import { readRecord } from '../../engine/operations/read.ts';
import { runIn } from '../../engine/operations/stored.ts';
import type { Transaction } from '../../engine/ports.ts';
import type { ShownRecord } from '../../engine/resource.ts';
import { type Found, type Request, readingOf, type Service } from '../../engine/service.ts';
import { ownRequest, placeOf } from '../requests.ts';
import type { Problems } from './catalogue.ts';
import { canonicalText, firstDifference } from './orders-difference.ts';

/** An order as a line has it. */
export interface PastOrder {
  /** Undefined where it is nothing that could be looked for. */
  readonly number: string | undefined;
  readonly body: JsonObject;
}

export type Taken =
  | { readonly outcome: 'created' | 'unchanged' }
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly problems: Problems };

export type TakeOrder = (order: PastOrder) => Promise<Taken>;

/** Ends the transaction of an order that is there; nobody sees it. */
const KNOWN = problem('conflict', 'The order is known.');

/** @param dryRun every transaction is undone */
export function takeOrders(service: Service, language: string, dryRun: boolean): TakeOrder {
  const place = placeOf(service, 'Order');
  const byNumber = place.resource.places.find(({ item }) => item?.name === 'order_number')!;
  const request: Request = { ...ownRequest(place, language), past: true };
  const reading = readingOf(service, request);
  const save = dryRun ? createAndUndo : create;
  /** What a dry run would have created by now: digests of what the lines say, by number. */
  const triedOut = new Map<string, string>();

  async function find(number: string, transaction: Transaction): Promise<ShownRecord | undefined> {
    const found = await readRecord(service, ownRequest(byNumber, language, { id: number }), runIn(transaction));
    return found?.record;
  }

  async function attempt({ number, body }: PastOrder): Promise<Taken | undefined> {
    const { sent, violations } = readBody(place, 'create', body, reading);
    // What is in no form is refused for that, whatever the store has.
    const wanted = violations.list.length > 0 ? undefined : number;
    const triedBefore = wanted === undefined ? undefined : triedOut.get(wanted);
    if (triedBefore !== undefined)
      return triedBefore === digestOf(canonicalText(place, sent, service.world))
        ? { outcome: 'unchanged' }
        : { outcome: 'skipped', reason: 'an earlier line has this order_number and says something else' };

    let known: { readonly difference: string | undefined } | undefined;
    const first = async (transaction: Transaction): Promise<Problem | undefined> => {
      const found = wanted === undefined ? undefined : await find(wanted, transaction);
      known = found && { difference: firstDifference(place, sent, found, service.world) };
      return known && KNOWN;
    };
    const saved = await save(service, { ...request, first }, body);
    if (known) {
      const { difference: reason } = known;
      return reason === undefined ? { outcome: 'unchanged' } : { outcome: 'skipped', reason };
    }
    if (isProblem(saved)) {
      const problems = problemsOf(saved);
      return problems.length === 0 ? undefined : { outcome: 'failed', problems };
    }
    if (dryRun && number !== undefined) triedOut.set(number, digestOf(canonicalText(place, sent, service.world)));
    return { outcome: 'created' };
  }

  return async (order) =>
    (await attempt(order)) ??
    // Somebody made an order of this number just now, so this time it is found.
    (await attempt(order)) ?? { outcome: 'skipped', reason: 'another order has just got this order_number' };
}

/** As `create`, and nothing of it stays. */
async function createAndUndo(service: Service, request: Request, body: JsonObject): Promise<Found | Problem> {
  const { order_number: number } = body;
  // A number in digits raises the store's sequence, which PostgreSQL does not undo.
  const isCounted = typeof number === 'string' && /^\d{1,15}$/.test(number);
  const uncounted = isCounted ? { ...body, order_number: service.uuid() } : body;
  let made: Found | undefined;
  const alongside = async (_transaction: Transaction, found: Found): Promise<void> => {
    made = found;
    // Only what fails is undone.
    throw new Undone();
  };
  try {
    return await create(service, { ...request, alongside }, uncounted);
  } catch (error) {
    if (error instanceof Undone) return made!;
    throw error;
  }
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
