/**
 * `purveyor import orders FILE.jsonl`: takes down the orders of another store, line by line; gives the exit code. No stock
 * moves, and an order that is there already stays as it is, so that a second run changes nothing.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../engine/index.ts';
import type { Config } from '../../wiring/config.ts';
import { importLines, type LinesKind, type LinesOptions, type ReadLine } from './lines-import.ts';
import { readOrder } from './orders-body.ts';
import type { Terminal } from './report.ts';

export function importOrders(config: Config, path: string, options: LinesOptions, terminal: Terminal): Promise<number> {
  return importLines(config, path, pastOrders(options.dryRun), options, terminal);
}

/** That an order of this number is there, and says something else, is no fault of the line. */
const CONFLICT = 409;

function pastOrders(dryRun: boolean): LinesKind {
  /** The orders that a dry run would have created by now: digests of their lines, by number. */
  const triedOut = new Map<string, string>();

  function read(text: string): ReadLine {
    const order = readOrder(text);
    if ('unreadable' in order) return { left: 'failed', reason: order.unreadable };
    if ('skipped' in order) return { left: 'skipped', reason: order.skipped };
    const { number: name = '', body } = order;
    const triedBefore = triedOut.get(name);
    if (triedBefore === undefined) return { name, body };
    return triedBefore === digestOf(body)
      ? { name, left: 'unchanged' }
      : { name, left: 'skipped', reason: 'an earlier line has this order_number and says something else' };
  }

  return {
    collection: '/orders',
    outcomes: ['created', 'unchanged', 'skipped', 'failed'],
    bulk: { past: true },
    read,
    isSkipped: (status) => status === CONFLICT,
    told(body, outcome) {
      if (dryRun && outcome === 'created') triedOut.set(body.order_number as string, digestOf(body));
    },
  };
}

const DIGEST_LENGTH = 16;

/** The same for bodies that say the same, whatever the order of their members. */
function digestOf(body: JsonObject): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return createHash('sha256').update(JSON.stringify(body, sorted)).digest('base64').slice(0, DIGEST_LENGTH);
}
