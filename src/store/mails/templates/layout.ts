/** The layout of the built-in templates. */

/** `text` and `subject` are plain text; values in `html` are escaped. */
export interface Template {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const LINK = '{{link}}';

/** A mail of paragraphs. One that consists of `{{link}}` is a link. */
export function mailOf(subject: string, ...paragraphs: readonly string[]): Template {
  const shown = (paragraph: string): string => (paragraph === LINK ? `<a href="${LINK}">${LINK}</a>` : paragraph);
  return {
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `${paragraphs.map((paragraph) => `<p>${shown(paragraph)}</p>`).join('\n')}\n`,
  };
}
