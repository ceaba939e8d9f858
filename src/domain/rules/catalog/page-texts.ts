/** Meta texts of product and category pages, which the store generates if the client sends none (catalog.md §1). */
import { choice, type Draft, escapeHtml, type Field, type Value } from '../../../engine/vocabulary.ts';
import { type PageRecord, type ShopPage, shopAddress } from './shop-address.ts';

const AUTOMATIC = 'A';
const CUSTOM = 'C';

/** A field with which older clients choose between a generated text and their own. It is not stored. */
export function textType(name: string): Field {
  return choice([AUTOMATIC, CUSTOM], {
    transient: true,
    groups: ['all', 'insert', 'update'],
    description: `\`A\` clears \`${name}\`, so that it is generated; \`C\` uses it as sent. Not stored.`,
  });
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
    const images = record.images as readonly { readonly url: string }[] | undefined;
    const description = record.meta_description || plainText(record.brief_description || record.description);
    const hasAddress = settings.shop_url && record.clean_url;
    const address = hasAddress ? shopAddress(page, record as unknown as PageRecord, language, settings) : '';
    const lines = [property('title', record.name), property('description', description)];
    lines.push(property('url', address), property('image', images?.[0]?.url));
    return lines.filter((line) => line !== '').join('\n');
  };
}

function property(name: string, content: Value | undefined): string {
  return content ? `<meta property="og:${name}" content="${escapeHtml(String(content))}" />` : '';
}

const DESCRIPTION_LENGTH_MAX = 300;

/** Extracts the visible text of HTML as one line, shortened to the length of a preview. */
function plainText(html: Value | undefined): string {
  if (!html) return '';
  const start = String(html).slice(0, DESCRIPTION_LENGTH_MAX * 10);
  const text = (start.includes('<') ? start.replace(/<[^>]*>?/g, ' ') : start).replace(/\s+/g, ' ').trim();
  return text.length <= DESCRIPTION_LENGTH_MAX ? text : [...text].slice(0, DESCRIPTION_LENGTH_MAX).join('');
}
