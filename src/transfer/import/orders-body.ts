/**
 * From a line to the body that the engine takes for a past order: what output shows beside what an order is made of is
 * left out, and what another store counts by itself, its identifiers, means nothing here.
 */
import { isJsonObject, type JsonObject, JsonProblem, parseJson } from '../../engine/index.ts';

type ReadOrder =
  /** Without a number that is a text: the engine says what is wrong with it. */
  | { readonly number: string | undefined; readonly body: JsonObject }
  | { readonly skipped: string }
  | { readonly unreadable: string };

/** Strict JSON, one object. */
export function readOrder(text: string): ReadOrder {
  let line: unknown;
  try {
    line = parseJson(text);
  } catch (error) {
    if (error instanceof JsonProblem) return { unreadable: ofLine(error.message) };
    throw error;
  }
  if (!isJsonObject(line)) return { unreadable: 'The line should be one JSON object, between { and }.' };
  const { order_number: number } = line;
  if (number === undefined || number === null)
    return { skipped: 'it has no order_number, which decides whether an order is here already' };
  return { number: typeof number === 'string' ? number : undefined, body: bodyOf(line) };
}

/** Always null in this store, and its own identifier. */
const OTHER_STORES: ReadonlySet<string> = new Set(['id', 'order_profile_id']);
/** Worked out from price and amount. */
const COMPUTED: ReadonlySet<string> = new Set(['item_net_price', 'discounted_subtotal']);
const STATUSES: ReadonlySet<string> = new Set(['payment_status', 'shipping_status']);

function bodyOf(line: JsonObject): JsonObject {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(line)) {
    if (OTHER_STORES.has(name)) continue;
    if (name === 'items' && Array.isArray(value))
      body.items = value.map((item) => (isJsonObject(item) ? without(COMPUTED, item) : item));
    else if (!STATUSES.has(name)) body[name] = value;
    // Output may show that there is none; every order here has one.
    else if (value !== null) body[name] = codeOf(value);
  }
  return body;
}

/** The code; an identifier is another store's. A status without a code is refused as a value of the wrong type. */
function codeOf(status: unknown): unknown {
  if (typeof status === 'string') return status;
  return isJsonObject(status) && typeof status.code === 'string' ? status.code : {};
}

function without(names: ReadonlySet<string>, object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}

/** The parser speaks of a body and counts its lines. */
function ofLine(message: string): string {
  return message.replace('The body', 'The line').replace(' at line 1, column', ' at column');
}
