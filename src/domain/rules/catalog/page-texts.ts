/** Texts for a product's or category's page that the store makes when nobody wrote them (catalog.md §1). */
import {
  choice,
  type Draft,
  escapeHtml,
  type Field,
  type ShownRecord,
  type Value,
} from '../../../engine/vocabulary.ts';

const AUTOMATIC = 'A';
const CUSTOM = 'C';

/** How old clients say whether a text is their own; never stored. */
export function textType(name: string): Field {
  return choice([AUTOMATIC, CUSTOM], {
    transient: true,
    groups: ['all', 'insert', 'update'],
    description: `\`A\` empties ${name}, so that it is automatic; \`C\` takes it as sent. Not stored.`,
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
  { sent, values, literal }: Draft<(typeof PAGE_TEXT_FIELDS)[number]>,
  names: readonly ('meta_description' | 'og_meta_tags')[],
): void {
  for (const name of names) {
    if (sent[`${name}_type`] === AUTOMATIC) values[name] = '';
    if (sent[`${name}_type`] === CUSTOM) literal.add(name);
  }
}

/** Open Graph markup made from the record, while the client wrote none. */
export function madeMarkup(written: Value, record: ShownRecord, { baseUrl }: { baseUrl: string }): Value {
  if (written !== '') return written;
  const images = record.images as readonly { readonly url: string }[] | undefined;
  const description = record.meta_description || plainText(record.brief_description || record.description);
  const address = record.clean_url && `${baseUrl}/${encodeURIComponent(record.clean_url as string)}`;
  const lines = [property('title', record.name), property('description', description)];
  lines.push(property('url', address), property('image', images?.[0]?.url));
  return lines.filter((line) => line !== '').join('\n');
}

function property(name: string, content: Value | undefined): string {
  return content ? `<meta property="og:${name}" content="${escapeHtml(String(content))}" />` : '';
}

const DESCRIPTION_LENGTH_MAX = 300;

/** The visible text of a piece of HTML, in one line, as far as a preview shows it. */
function plainText(html: Value | undefined): string {
  if (!html) return '';
  const start = String(html).slice(0, DESCRIPTION_LENGTH_MAX * 10);
  const words = (start.includes('<') ? start.replace(/<[^>]*>?/g, ' ') : start).replace(/\s+/g, ' ').trim();
  return words.length <= DESCRIPTION_LENGTH_MAX ? words : [...words].slice(0, DESCRIPTION_LENGTH_MAX).join('');
}
