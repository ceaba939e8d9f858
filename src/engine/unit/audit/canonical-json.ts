/**
 * The canonical form of JSON (RFC 8785): members sorted by UTF-16 code units, without white space. Numbers and texts have
 * the form of ECMAScript, which `JSON.stringify` writes.
 */
import type { Value } from '../../ports.ts';

export function canonicalJson(value: Value): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  let text = '';
  for (const name of sortedNames(value))
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value[name]!)}`;
  return `{${text}}`;
}

/** Most objects are sorted already, and this runs for each field of every write. */
function sortedNames(value: { [name: string]: Value }): string[] {
  const names = Object.keys(value);
  for (let index = 1; index < names.length; index += 1) if (names[index]! < names[index - 1]!) return names.sort();
  return names;
}
