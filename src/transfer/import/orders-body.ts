/**
 * Converts a line with an order in API output into the input for a past order. Computed fields and the identifiers of the
 * other store are removed.
 */
import { isJsonObject, type JsonObject, JsonProblem, parseJson } from '../../engine/index.ts';

type ReadOrder =
  /** `number` is undefined if it is not a string; the engine then rejects the body. */
  | { readonly number: string | undefined; readonly body: JsonObject }
  | { readonly skipped: string }
  | { readonly unreadable: string };

/** Parses a line of strict JSON, which must be one object with an order number. */
export function readOrder(text: string): ReadOrder {
  let line: unknown;
  try {
    line = parseJson(text);
  } catch (error) {
    if (error instanceof JsonProblem) return { unreadable: ofLine(error.message) };
    throw error;
  }
  if (!isJsonObject(line)) return { unreadable: NOT_AN_OBJECT };
  const { order_number: number } = line;
  if (number === undefined || number === null)
    return { skipped: 'The order has no order_number, by which another run would recognize it. Add one.' };
  return { number: typeof number === 'string' ? number : undefined, body: bodyOf(line) };
}

export const NOT_AN_OBJECT = 'The line is not a JSON object. Write one object per line, between { and }.';

/** Identifiers of the other store. `order_profile_id` is always null in this program. */
const FOREIGN_IDS: ReadonlySet<string> = new Set(['id', 'order_profile_id']);
/** Computed from price and amount. */
const COMPUTED: ReadonlySet<string> = new Set(['item_net_price', 'discounted_subtotal']);
const STATUSES: ReadonlySet<string> = new Set(['payment_status', 'shipping_status']);

function bodyOf(line: JsonObject): JsonObject {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(line)) {
    if (FOREIGN_IDS.has(name)) continue;
    if (name === 'items' && Array.isArray(value))
      body.items = value.map((item) => (isJsonObject(item) ? without(COMPUTED, item) : item));
    else if (!STATUSES.has(name)) body[name] = value;
    // A status may be null in the other store, but not in this one.
    else if (value !== null) body[name] = codeOf(value);
  }
  return body;
}

/** @returns the code of a status; without one an empty object, which the engine rejects as a value of the wrong type */
function codeOf(status: unknown): unknown {
  if (typeof status === 'string') return status;
  return isJsonObject(status) && typeof status.code === 'string' ? status.code : {};
}

function without(names: ReadonlySet<string>, object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}

/** Adapts a message of the JSON parser, which refers to lines of a request body. */
export function ofLine(message: string): string {
  return message.replace('The body', 'The line').replace(' at line 1, column', ' at column');
}
