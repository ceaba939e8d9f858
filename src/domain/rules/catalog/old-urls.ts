/** Records former clean URLs, so that the shop can redirect from them (catalog.md §16). */
import type { Draft, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

export const USES_OF_OLD_URLS = { OldUrl: ['clean_url', 'until', 'product', 'category'] } as const;

const OLD_URLS_MAX = 50;

/**
 * Records the previous clean URL of a changed record, and removes its current one from the history of all records.
 * @param link - the field of `OldUrl` for the record
 */
export async function recordOldUrl(
  { sent, values, stored, now }: Draft<'clean_url'>,
  unit: UnitOfWork<typeof USES_OF_OLD_URLS>,
  id: Value,
  link: 'product' | 'category',
): Promise<void> {
  const current = values.clean_url;
  const former = stored?.clean_url;
  if (typeof current !== 'string' || current === former) return;
  // Generated URLs avoid former ones.
  if (sent.clean_url === current) await unit.remove('OldUrl', { clean_url: current });
  if (!former) return;
  await unit.insert('OldUrl', { clean_url: former, until: now, [link]: id });
  const all = await unit.list('OldUrl', { [link]: id });
  const oldest = all.slice(0, Math.max(0, all.length - OLD_URLS_MAX)).map((one) => one.id);
  if (oldest.length > 0) await unit.remove('OldUrl', { id: oldest });
}
