/** Introduction of the reference of `/storefront`. */
import { type ProblemType, problemTypes } from '../../engine/index.ts';
import { problemPage } from '../openapi/problems.ts';

/** Returns the introduction as Markdown. @param problems of all operations */
export function shopIntroduction(baseUrl: string, problems: readonly ProblemType[]): string {
  return [
    'The store as shoppers see it. The pages and apps of a shop use this API directly.',
    gettingStarted(baseUrl),
    authentication(baseUrl),
    PAGES,
    LANGUAGES,
    PRICES,
    CACHING,
    HEADERS,
    errors(baseUrl, problems),
  ].join('\n\n');
}

function gettingStarted(baseUrl: string): string {
  return `## Getting started

Create a publishable key with a read/write key of the store, then read the catalog. Pages in browsers call it directly:

\`\`\`sh
curl -H "X-Auth-Token: $KEY" ${baseUrl}/api/keys \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"Shop","kind":"publishable","origins":["https://shop.example"]}'
\`\`\`

\`\`\`js
const response = await fetch('${baseUrl}/storefront/products?fields=id,name,price', {
  headers: { 'X-Auth-Token': 'pv_pk_…' },
});
const products = await response.json();
\`\`\``;
}

function authentication(baseUrl: string): string {
  return `## Authentication

Send a publishable key in \`X-Auth-Token\` of every request. It is not secret, so it can be part of a page or an app. Without a valid
key, requests are a 401; with a key of another kind, they are a 403.

Paths of the customer also need a session, which \`POST /session\` begins. Apps send its token in \`Authorization: Bearer …\`. Pages can have
it in a cookie instead (\`"transport": "cookie"\`). Pages can read the catalog from any origin, and other paths only from the key’s
\`origins\`.

\`\`\`js
const session = await fetch('${baseUrl}/storefront/session', {
  method: 'POST',
  headers: { 'X-Auth-Token': 'pv_pk_…', 'Content-Type': 'application/json' },
  body: JSON.stringify({ login: 'ada@example.com', password: '…' }),
});
const { token } = await session.json();
const orders = await fetch('${baseUrl}/storefront/me/orders', {
  headers: { 'X-Auth-Token': 'pv_pk_…', Authorization: \`Bearer \${token}\` },
});
\`\`\``;
}

const PAGES = `## Lists

A list returns at most \`itemsPerPage\` items. \`X-Total-Count\` is the number of all items, and \`Link\` has the URLs of the first,
previous, next and last page. A record must match all filters. A filter with several values (\`id[]=5&id[]=6\`)
matches any of them. An unknown parameter is a 400.`;

const LANGUAGES = `## Languages

Texts are in the language that \`language\` names, else in the best match of \`Accept-Language\` among the store’s languages, else in the
store’s default language. The response names it in \`Content-Language\`.`;

const PRICES = `## Prices

Prices are in the store’s currency, for a quantity of 1 with default options, after all discounts that apply to everyone. A product with
variants has the price of the cheapest one. \`country\` and \`state_name\` choose the address whose taxes apply. With \`for=me\`, prices are
those of the customer.`;

const CACHING = `## Caching

Responses of the catalog are the same for all shoppers, except with \`for=me\`. Browsers and shared caches may store
them for the time in \`Cache-Control\`. Afterwards they send the \`ETag\` in \`If-None-Match\`,
and get a 304 without a body if the response is still the same.`;

const HEADERS = `## Response headers

Every operation can return these headers. Other headers are described with their operations.

| Header | Value |
| --- | --- |
| \`Access-Control-Allow-Origin\` | \`*\` for the catalog; otherwise the origin of the request, if the key lists it |
| \`Access-Control-Allow-Credentials\` | \`true\` if the key lists the origin of the request, except for the catalog |
| \`Access-Control-Expose-Headers\` | headers that pages of other origins can read |
| \`Cache-Control\` | \`private, no-store\`, unless the operation says otherwise |
| \`Vary\` | request headers on which the response depends |
| \`X-Request-Id\` | id of the request, also in the log of the store |`;

function errors(baseUrl: string, problems: readonly ProblemType[]): string {
  const all = Object.entries(problemTypes).filter(([type]) => problems.includes(type as ProblemType));
  const rows = all.map(
    ([type, { status, title }]) => `| ${status} | [${title}](${problemPage(baseUrl, type as ProblemType)}) |`,
  );
  return `## Errors

Errors are \`application/problem+json\` (RFC 9457). \`type\` is the URL of a page about the error, \`detail\` says what is wrong and
what to do, and \`instance\` is the request id.

| Status | Problem |
| --- | --- |
${rows.join('\n')}`;
}
