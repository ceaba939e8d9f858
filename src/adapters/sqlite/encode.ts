/** How the engine's values are written into SQLite's places. The other direction is `decode` of the dialect. */
import type { SQLInputValue } from 'node:sqlite';
import { type ColumnType, RowsSlot, Slot, type Value } from '../../engine/ports.ts';

/** Decimals are kept as whole numbers of ten-thousandths, so that they stay exact. */
export const DECIMAL_SCALE = 10_000;

export const encode: Readonly<Record<ColumnType, (value: Value) => SQLInputValue>> = {
  text: asIs,
  integer: asIs,
  timestamp: asIs,
  decimal: (value) => (value === null ? null : Math.round((value as number) * DECIMAL_SCALE)),
  boolean: (value) => (value === null ? null : Number(value)),
  json: (value) => (value === null ? null : JSON.stringify(value)),
};

/** The values to bind for one run of a statement. */
export function fill(places: readonly unknown[], values: Readonly<Record<string, Value>>): SQLInputValue[] {
  const filled = new Array<SQLInputValue>(places.length);
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index];
    if (place instanceof RowsSlot) filled[index] = encodeRows(place, values[place.name]);
    else if (place instanceof Slot) filled[index] = encodeSlot(place, values[place.name]);
    else filled[index] = typeof place === 'boolean' ? Number(place) : (place as SQLInputValue);
  }
  return filled;
}

function encodeSlot(slot: Slot, value: Value | undefined): SQLInputValue {
  if (value === undefined) throw new Error(`The statement was run without a value for "${slot.name}".`);
  const encodeOne = encode[slot.type];
  return slot.list ? JSON.stringify((value as Value[]).map(encodeOne)) : encodeOne(value);
}

function encodeRows(slot: RowsSlot, rows: Value | undefined): SQLInputValue {
  if (rows === undefined) throw new Error(`The statement was run without rows for "${slot.name}".`);
  const encodeRow = (row: Value[]): SQLInputValue[] => row.map((value, index) => encode[slot.types[index]!](value));
  return JSON.stringify((rows as Value[][]).map(encodeRow));
}

function asIs(value: Value): SQLInputValue {
  return value as SQLInputValue;
}
