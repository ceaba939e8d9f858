/** Meta texts of product and category pages, which the store generates if the client sends none (catalog.md §1). */
import { choice, type Draft, escapeHtml, type Field } from '../../../engine/vocabulary.ts';
import { openGraphLines } from './open-graph.ts';
import { type PageRecord, type ShopPage, shopAddress } from './shop-address.ts';

const AUTOMATIC = 'A';
const CUSTOM = 'C';

/** A field with which older clients choose between a generated text and their own. It is not stored. */
export function textType(name: string): Field {
  const type = choice([AUTOMATIC, CUSTOM], {
    transient: true,
    groups: ['all', 'insert', 'update'],
    description: `\`A\` clears \`${name}\`, so that it is generated; \`C\` uses it as sent. Not stored.`,
  });
  // Who cannot see the text cannot clear it.
  return { ...type, standsFor: name };
}

export const PAGE_TEXT_FIELDS = [
  'meta_description',
  'meta_description_type',
  'og_meta_tags',
  'og_meta_tags_type',
] as const;

/** Applies the type that a client sent for each of these texts. */
export function deriveAutomaticTexts(
  { sent, values, literal }: Pick<Draft<(typeof PAGE_TEXT_FIELDS)[number]>, 'sent' | 'values' | 'literal'>,
  names: readonly ('meta_description' | 'og_meta_tags')[],
): void {
  for (const name of names) {
    if (sent[`${name}_type`] === AUTOMATIC) values[name] = '';
    if (sent[`${name}_type`] === CUSTOM) literal.add(name);
  }
}

/** Returns the client's Open Graph markup, or generates it from the record. Without a shop, there is no URL to name. */
export function openGraphMarkup(page: ShopPage): NonNullable<Field['complete']> {
  return (written, record, { settings }, { language }) => {
    if (written !== '') return written;
    const hasAddress = settings.shop_url && record.clean_url;
    const address = hasAddress ? shopAddress(page, record as unknown as PageRecord, language, settings) : '';
    return openGraphLines(record, address, escapeHtml).join('\n');
  };
}
