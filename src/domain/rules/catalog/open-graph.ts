/** Open Graph markup that the store generates for a page (catalog.md §1). No imports, because the admin page uses this file too. */

/** The fields of a record that the markup contains, as in output. */
type PageTexts = Readonly<Record<string, unknown>>;
type Escape = (text: string) => string;

/** @param address of the page; without it, the markup has no `og:url` @param escapeText for the value of an HTML attribute */
export function openGraphLines(page: PageTexts, address: string, escapeText: Escape): string[] {
  const images = page.images as readonly { readonly url: string }[] | undefined;
  const description = page.meta_description || plainText(page.brief_description || page.description);
  const contents = { title: page.name, description, url: address, image: images?.[0]?.url };
  return Object.entries(contents).flatMap(([name, content]) =>
    content ? `<meta property="og:${name}" content="${escapeText(String(content))}" />` : [],
  );
}

/** Returns whether the store generates this markup for the page. The `og:url` may be any address. */
export function isGenerated(markup: string, page: PageTexts, escapeText: Escape): boolean {
  const lines = markup.split('\n').filter((line) => !line.startsWith('<meta property="og:url" '));
  return lines.join('\n') === openGraphLines(page, '', escapeText).join('\n');
}

const DESCRIPTION_LENGTH_MAX = 300;

/** Extracts the visible text of HTML as one line, shortened to the length of a preview. */
function plainText(html: unknown): string {
  if (!html) return '';
  const start = String(html).slice(0, DESCRIPTION_LENGTH_MAX * 10);
  const text = (start.includes('<') ? start.replace(/<[^>]*>?/g, ' ') : start).replace(/\s+/g, ' ').trim();
  return text.length <= DESCRIPTION_LENGTH_MAX ? text : [...text].slice(0, DESCRIPTION_LENGTH_MAX).join('');
}
