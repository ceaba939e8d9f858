/** Writes CSV (RFC 4180). */

/** @param cells lists are joined; objects become their `name` or `url`, otherwise JSON */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => quoted(textOf(cell))).join(',')}\r\n`;
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell)) return cell.map(textOf).join('; ');
  if (typeof cell !== 'object') return String(cell);
  const { name, url } = cell as { name?: unknown; url?: unknown };
  return typeof name === 'string' ? name : typeof url === 'string' ? url : JSON.stringify(cell);
}

function quoted(text: string): string {
  // Spreadsheets evaluate cells that begin like a formula. Negative numbers are safe.
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
