/**
 * The document of the admin page. Each answer has a number of its own (nonce), and its browser runs no script and takes no
 * style without it (https://www.w3.org/TR/CSP3/). So a text of the store that got into the page as markup could do nothing.
 */
import { randomBytes } from 'node:crypto';

const NONCE_BYTES = 16;

/** Stands where the number comes; no page contains it. */
const PLACE = '\u0000nonce\u0000';

/** @param html as it was built: the places of the number are found in it */
export function adminDocument(html: string): { with(nonce: string): string } {
  const parts = prepared(html).split(PLACE);
  return { with: (nonce) => parts.join(nonce) };
}

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64');
}

/**
 * Scripts, styles and links get the number, and so does the one `meta` by which programs in the page hand it on: emotion asks
 * for its `content`, Vite for its `nonce`.
 */
function prepared(html: string): string {
  const meta = `<meta property="csp-nonce" content="${PLACE}" nonce="${PLACE}">`;
  return html
    .replace(/<meta\b[^<>]*>/gi, (tag) => (tag.includes('property="csp-nonce"') ? '' : tag))
    .replace(/<head[^<>]*>/i, (head) => `${head}\n    ${meta}`)
    .replace(/<(script|style|link)\b([^<>]*)>/gi, (_, name: string, attributes: string) => {
      return `<${name} nonce="${PLACE}"${attributes.replace(/\snonce(?:="[^"]*")?/gi, '')}>`;
    });
}

/** @param imageOrigins where the store's pictures are beside the page's own origin */
export function policyFor(nonce: string, imageOrigins: readonly string[]): string {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src ${["'self'", 'data:', 'blob:', ...imageOrigins].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
