/**
 * The canonical form of JSON (RFC 8785): members sorted by UTF-16 code units, without white space. Numbers and texts have
 * the form of ECMAScript, which `JSON.stringify` writes.
 */
import type { Value } from '../../ports.ts';

export function canonicalJson(value: Value): string {
  // Most values are sorted already, and one call is faster than one for each member.
  if (isSorted(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const object = value as { [name: string]: Value };
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name]!)}`).join()}}`;
}

function isSorted(value: Value): boolean {
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let last = '';
  for (const name of Object.keys(value)) {
    if (name < last || !isSorted(value[name]!)) return false;
    last = name;
  }
  return true;
}
