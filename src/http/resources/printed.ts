/** Renders a record as a printable HTML page: self-contained, with every text escaped, without scripts. */
import { createHash } from 'node:crypto';
import { escapeHtml, type Printed, type PrintedBlock } from '../../engine/index.ts';

/** The media type of pages to print. */
export const HTML_TYPE = 'text/html';

const STYLE = `
body { font: 11pt/1.4 sans-serif; max-width: 18cm; margin: 1cm auto; padding: 0 4mm; }
h1 { font-size: 16pt; } h2 { font-size: 11pt; margin: 1em 0 0; } p { margin: 0; white-space: pre-line; }
table { width: 100%; border-collapse: collapse; margin-top: 1em; }
th, td { text-align: left; vertical-align: top; padding: 2pt 4pt; border-bottom: 1px solid #ccc; white-space: pre-line; }
.number { text-align: right; } .logo { max-width: 8cm; max-height: 3cm; }
@media (max-width: 15cm) { td { overflow-wrap: anywhere; } .number { overflow-wrap: normal; } }
@page { margin: 2cm; } @media print { body { margin: 0; padding: 0; } tr { break-inside: avoid; } thead { display: table-header-group; } }
`;

/** Allows only the page's own style, so that text in a record cannot inject active content. */
export const PRINTED_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-modals`,
  'referrer-policy': 'no-referrer',
};

/** @param logo - HTML of the logo */
export function pageOf({ language, title, blocks }: Printed, logo = ''): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body>
${logo}<h1>${escapeHtml(title)}</h1>
${blocks.map(blockOf).join('\n')}
</body>
</html>
`;
}

function blockOf(block: PrintedBlock): string {
  if ('lines' in block) {
    const heading = block.heading === undefined ? '' : `<h2>${escapeHtml(block.heading)}</h2>`;
    return `${heading}<p>${escapeHtml(block.lines.join('\n'))}</p>`;
  }
  const { columns, rows } = block;
  const cell = (kind: 'th' | 'td', text: string, index: number): string =>
    `<${kind}${columns[index]!.isNumber ? ' class="number"' : ''}>${escapeHtml(text)}</${kind}>`;
  const head = columns.map(({ heading }, index) => cell('th', heading, index)).join('');
  const hasHead = columns.some(({ heading }) => heading !== '');
  const body = rows.map((row) => `<tr>${row.map((text, index) => cell('td', text, index)).join('')}</tr>`);
  return `<table>${hasHead ? `<thead><tr>${head}</tr></thead>` : ''}<tbody>${body.join('')}</tbody></table>`;
}
