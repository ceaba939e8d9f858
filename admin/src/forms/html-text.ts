/** HTML texts: whether the visual editor can show one without losing anything, and cleaning of pasted texts. */

/** Renames inline styles: the content security policy does not allow them, not even in a document that is only parsed. */
export const withoutStyles = (html: string): string =>
  html.replace(/<style[\s\S]*?<\/style>/gi, '').replace(/\sstyle\s*=/gi, ' data-style=');

const parse = (html: string): HTMLElement => new DOMParser().parseFromString(withoutStyles(html), 'text/html').body;

/** Elements that mean the same. */
const SAME: Readonly<Record<string, string>> = { B: 'STRONG', I: 'EM', STRIKE: 'S', DEL: 'S' };

/** Describes elements, attributes and texts; white space between them does not count. */
function outline(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ').trim();
  if (!(node instanceof Element)) return '';
  const name = SAME[node.tagName] ?? node.tagName;
  const attributes = [...node.attributes].map((one) => `${one.name}=${one.value}`).sort();
  const inner = [...node.childNodes].map(outline).filter(Boolean).join(' ');
  return `<${[name, ...attributes].join(' ')}>${inner}</>`;
}

/** Whether two texts have the same elements, attributes and words. */
export function isSameHtml(one: string, other: string): boolean {
  const of = (html: string): string => {
    const body = parse(html);
    // The editor puts a list item's text into a paragraph, and a text without elements too.
    for (const paragraph of body.querySelectorAll('li > p:only-child')) paragraph.replaceWith(...paragraph.childNodes);
    const isPlain = body.children.length === 0;
    return [...body.childNodes].map((node) => (isPlain ? `<P>${outline(node)}</>` : outline(node))).join(' ');
  };
  return (
    of(one)
      .replace(/<P><\/>/g, '')
      .trim() ===
    of(other)
      .replace(/<P><\/>/g, '')
      .trim()
  );
}

/** Returns the words of a text without its elements. */
export function plainText(html: string): string {
  return (parse(html).textContent ?? '').replace(/\s+/g, ' ').trim();
}

const LIST_MARK = /^[\s\u00a0]*(?:[·•o§\-–]|\d+[.)])[\s\u00a0]+/;

/** Removes what Word adds to a text, and turns its paragraphs with bullets into lists. The editor drops unknown elements itself. */
export function cleanPastedHtml(html: string): string {
  const body = parse(html.replace(/<!--[\s\S]*?-->/g, '').replace(/<\/?o:p>/gi, ''));
  for (const element of body.querySelectorAll('script, meta, link, title, xml')) element.remove();
  let list: HTMLElement | undefined;
  for (const paragraph of [...body.querySelectorAll('p')]) {
    const isItem = /MsoListParagraph/.test(paragraph.className) || /mso-list/.test(paragraph.dataset.style ?? '');
    if (!isItem) {
      list = undefined;
      continue;
    }
    const text = paragraph.textContent ?? '';
    const kind = /^[\s\u00a0]*\d/.test(text) ? 'ol' : 'ul';
    if (list?.localName !== kind || list.nextSibling !== paragraph) {
      list = body.ownerDocument.createElement(kind);
      paragraph.before(list);
    }
    const item = body.ownerDocument.createElement('li');
    item.textContent = text.replace(LIST_MARK, '').trim();
    list.append(item);
    paragraph.remove();
  }
  for (const element of body.querySelectorAll('[data-style], [class]')) {
    element.removeAttribute('data-style');
    element.removeAttribute('class');
  }
  return body.innerHTML;
}
