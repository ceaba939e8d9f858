/**
 * `purveyor import orders FILE.jsonl`: imports past orders of another store from JSON Lines. Stock is not changed. Existing
 * orders are not changed either, so running the import again has no effect.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../engine/index.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { importLines, type LinesKind, type LinesOptions, type ReadLine } from './lines-import.ts';
import { readOrder } from './orders-body.ts';
import type { Terminal } from './report.ts';

export function importOrders(config: Config, path: string, options: LinesOptions, terminal: Terminal): Promise<number> {
  return importLines(config, path, pastOrders(options.dryRun), options, terminal);
}

/** A different order with this number exists: the line is skipped, not failed. */
const CONFLICT = 409;

function pastOrders(dryRun: boolean): LinesKind {
  /** Orders that this dry run would have created: digests of their lines, by number. */
  const created = new Map<string, string>();

  function read(text: string): ReadLine {
    const order = readOrder(text);
    if ('unreadable' in order) return { outcome: 'failed', reason: order.unreadable };
    if ('skipped' in order) return { outcome: 'skipped', reason: order.skipped };
    const { number: name = '', body } = order;
    const earlier = created.get(name);
    if (earlier === undefined) return { name, body };
    return earlier === digestOf(body)
      ? { name, outcome: 'unchanged' }
      : { name, outcome: 'skipped', reason: DUPLICATE };
  }

  return {
    collection: '/orders',
    outcomes: ['created', 'unchanged', 'skipped', 'failed'],
    bulk: { past: true },
    read,
    isSkipped: (status) => status === CONFLICT,
    onOutcome(body, outcome) {
      if (dryRun && outcome === 'created') created.set(body.order_number as string, digestOf(body));
    },
  };
}

const DUPLICATE = 'An earlier line has a different order with this order_number. Remove one of them.';

const DIGEST_LENGTH = 16;

/** Computes a digest that does not depend on the order of object members. */
function digestOf(body: JsonObject): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return createHash('sha256').update(JSON.stringify(body, sorted)).digest('base64').slice(0, DIGEST_LENGTH);
}
