/**
 * The HTML document of the admin page. Each response has its own nonce, without which the browser runs no script and applies no
 * style (https://www.w3.org/TR/CSP3/). Markup in texts of the store would therefore have no effect.
 */
import { randomBytes } from 'node:crypto';

const NONCE_BYTES = 16;

/** The placeholder of the nonce; no page contains it. */
const PLACEHOLDER = '\u0000nonce\u0000';

/** @param html of the build @param passkeys the origin on which users can use passkeys */
export function adminDocument(html: string, passkeys?: string): { with(nonce: string): string } {
  const parts = prepared(html, passkeys).split(PLACEHOLDER);
  return { with: (nonce) => parts.join(nonce) };
}

export function newNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64');
}

/**
 * Adds the nonce to scripts, styles and links, and to a `meta` element for libraries: emotion reads its `content`, Vite its
 * `nonce`. Another one lets the page offer passkeys.
 */
function prepared(html: string, passkeys: string | undefined): string {
  const meta = `<meta property="csp-nonce" content="${PLACEHOLDER}" nonce="${PLACEHOLDER}">`;
  const origin = passkeys === undefined ? '' : `\n    <meta name="purveyor-passkeys" content="${passkeys}">`;
  return html
    .replace(/<meta\b[^<>]*>/gi, (tag) => (tag.includes('property="csp-nonce"') ? '' : tag))
    .replace(/<head[^<>]*>/i, (head) => `${head}\n    ${meta}${origin}`)
    .replace(/<(script|style|link)\b([^<>]*)>/gi, (_, name: string, attributes: string) => {
      return `<${name} nonce="${PLACEHOLDER}"${attributes.replace(/\snonce(?:="[^"]*")?/gi, '')}>`;
    });
}

/** @param imageOrigins other origins of the store's images */
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
