/** Formats a count with its noun: `1 row`, `12,345 rows`. @param unit in the singular */
export function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}
