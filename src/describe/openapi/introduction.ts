/** Introduction of the API reference. Its examples are generated from the model. */
import {
  CHANGES_PATH,
  ITEMS_PER_PAGE_DEFAULT,
  ITEMS_PER_PAGE_MAX,
  type Model,
  type ModelResource,
  problemTypes,
  type Tutorial,
  withArticle,
} from '../../engine/index.ts';
import { inputExample, leadingResource } from './examples.ts';
import { problemPage } from './problems.ts';

/** Returns the introduction as Markdown. */
export function introduction(model: Model, baseUrl: string): string {
  const leading = leadingResource(model);
  return [
    'Read and change all data of the store from any program that speaks HTTP and JSON.',
    gettingStarted(leading, baseUrl),
    KEYS,
    LANGUAGES,
    pages(leading),
    filters(leading),
    WRITING,
    RESPONSE_HEADERS,
    COMPRESSION,
    CHANGES,
    linkedData(baseUrl),
    ...[...model.resources.values()].flatMap(({ declaration }) =>
      declaration.tutorial ? tutorialSection(declaration.tutorial) : [],
    ),
    errors(baseUrl),
  ].join('\n\n');
}

function gettingStarted(leading: ModelResource, baseUrl: string): string {
  const [route] = leading.routes;
  const path = route!.collectionPath;
  const required = Object.entries(inputExample(route!, 'create')).filter(
    ([name]) => leading.fields.get(name)!.field.required,
  );
  return `## Getting started

Create ${withArticle(leading.name)} and read it back. The first start of the store prints two API keys or the name of a file with them. \`npx purveyor keys create NAME\` creates more.

\`\`\`sh
API=${baseUrl}/api
KEY=<your API key>
curl -H "X-Auth-Token: $KEY" $API${path} \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(Object.fromEntries(required))}'
curl -H "X-Auth-Token: $KEY" $API${path}
curl -H "X-Auth-Token: $KEY" $API${path}/1
\`\`\`

Or try it on this page: enter the key under **Authentication**, select **Test Request** of an operation, then **Send**.`;
}

const KEYS = `## Authentication

Send an API key in the header \`X-Auth-Token\` of every request. **Read/write** keys have full access, including listing,
creating and revoking keys at \`/keys\`. **Read-only** keys can only read. Requests without a valid key get a 401. This
reference and its documents need no key.`;

const LANGUAGES = `## Languages

Each request has one language: the best match of \`Accept-Language\` among the store’s enabled languages, or the store’s default
language. The response names it in \`Content-Language\`. Texts are read and written in this language; other languages do not
change. A text that is missing in the language is shown in the default language. The path \`…/translations\` of a record returns
its stored texts in all languages; read-only keys see only enabled languages. \`…/translations/{code}\` reads, replaces and deletes
the texts of one language, which may be disabled. Required texts cannot be deleted in the default language (409). Writing texts in a
language that the store does not have is a 400.`;

function pages(leading: ModelResource): string {
  return `## Pages

A collection returns an array of at most \`itemsPerPage\` items (default ${ITEMS_PER_PAGE_DEFAULT}, maximum ${ITEMS_PER_PAGE_MAX}). \`X-Total-Count\` is the
number of all items. \`Link\` has the URLs of the first, previous, next and last page. Follow \`next\` as it is: for products it has a
\`cursor\` instead of \`page\`. With \`Accept: application/jsonl\` or
\`application/x-ndjson\` a collection is a consistent snapshot of all matching records, one on each line, sorted by identifier, without
pages and without an \`ETag\`.

\`\`\`
GET ${leading.routes[0]!.collectionPath}?page=2&itemsPerPage=50
\`\`\``;
}

function filters(leading: ModelResource): string {
  const { collectionPath, filters, orders } = leading.routes[0]!;
  const found = [...filters].find(([, { partial }]) => partial);
  const range = [...filters].find(([, { field }]) => field.field.filter === 'float')?.[0];
  const sorted = [...orders.keys()].find((name) => name === range) ?? leading.identifierField;
  const queries = [
    ...(found ? [`${found[0]}=${encodeURIComponent(String(found[1].field.field.example ?? 'a'))}`] : []),
    ...(range === undefined ? [] : [`${range}[gte]=10&${range}[lt]=20`]),
    `order[${sorted}]=desc`,
  ];
  return `## Filters and sorting

With several orders, the first one in the URL takes precedence. A record must match all filters, and one value of a list (\`id[]=5&id[]=6\`). Operators are \`[gt]\`, \`[gte]\`, \`[lt]\`, \`[lte]\` and
\`[between]=5..9\` for numbers, \`[before]\`, \`[strictly_before]\`, \`[after]\` and \`[strictly_after]\` for date-times, and
\`[exists]=false\` for links. Filter a link by name or id, as its description says, or by path; append \`.id\` or \`.name\` to choose
one. An unknown parameter is a 400 that suggests a similar one or lists all. With \`Prefer: handling=lenient\` unknown names are ignored.

\`\`\`
${queries.map((query) => `GET ${collectionPath}?${query}`).join('\n')}
\`\`\``;
}

const WRITING = `## Writing

**POST** creates a record, **PUT** replaces it, **PATCH** changes only the fields in the body. You can send a record back with
PUT exactly as you read it. In a PATCH, \`null\` clears a nullable field, and an array replaces the whole array. Refer to a linked
record by its name, its id, its path, or the object that output shows. Unknown fields are a 422. A field that is read-only or cannot
be changed is a 422 if its value differs from the one that output shows, or in a POST from the one that output will show; empty
values are accepted there. \`Prefer: handling=lenient\` ignores unknown and read-only fields.

**Safe retries.** Send an \`Idempotency-Key\` with a POST, and repeat the request if you get no response: it runs only once. Later
requests with the same key get the first response again, with \`Idempotency-Replayed: true\`. URL, body, \`Accept-Language\`,
\`Content-Type\` and \`Prefer\` must be the same.

**Conflicting changes.** Send the \`ETag\` of the record that you read as \`If-Match\`. If the record has changed, the write is
rejected with 412. \`If-None-Match\` does the opposite: a write gets a 412 if a record exists (\`*\`) or has this
\`ETag\`. A GET with \`If-None-Match\` gets a 304 without a body if the response is unchanged.`;

const RESPONSE_HEADERS = `## Response headers

All operations can return these headers. Those of single operations are described there.

| Header | Value |
| --- | --- |
| \`ETag\` | of a record or a page: version of the response, for \`If-Match\` and \`If-None-Match\` |
| \`Content-Language\` | language of the texts in the body |
| \`Accept-Patch\` | of a record that can be patched: media types that PATCH accepts |
| \`X-Total-Count-Relation\` | \`at-least\` if \`X-Total-Count\` is a lower bound, because of \`Prefer: count=estimated\` |
| \`Preference-Applied\` | the preferences of \`Prefer\` that the response applies, such as \`handling=lenient\` |
| \`RateLimit\` | if the key has a rate limit: remaining requests (\`r\`) and seconds until the quota resets (\`t\`) |
| \`RateLimit-Policy\` | if the key has a rate limit: requests (\`q\`) per number of seconds (\`w\`) |
| \`X-Request-Id\` | id of the request, also in the log of the store |`;

const COMPRESSION = `## Compression

Responses of more than 1 KB are compressed with \`zstd\`, \`gzip\` or \`br\` according to \`Accept-Encoding\`. Each encoding has its own
\`ETag\` suffix; conditional requests accept any of them.`;

const CHANGES = `## Change feed

\`GET ${CHANGES_PATH}\` returns every change of the store in order, including deletions. Without a cursor it starts with all
existing records. Then poll with the last cursor, or wait for new changes.

\`\`\`
GET ${CHANGES_PATH}?limit=1000
GET ${CHANGES_PATH}?after=CURSOR&wait=30&include=record
\`\`\``;

function linkedData(baseUrl: string): string {
  return `## JSON-LD and Hydra

With \`Accept: application/ld+json\` all responses, including errors, are JSON-LD with Hydra: records have \`@id\` and \`@type\`,
collections have \`hydra:member\`. Generic clients start at [${baseUrl}/api](${baseUrl}/api) and find the documentation in the header \`Link\`.
Bodies of type \`application/ld+json\` can refer to records by their \`@id\`.`;
}

/** Renders the steps as shell commands with the variables of “Getting started”. */
function tutorialSection({ title, steps }: Tutorial): string {
  const commands = steps.map(({ text, method, path, headers = {}, body }) => {
    const all = { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) };
    const options = Object.entries(all).map(([name, value]) => ` \\\n  -H '${name}: ${value}'`);
    const data = body ? ` \\\n  -d '${JSON.stringify(body)}'` : '';
    const verb = method === 'GET' || method === 'POST' ? '' : ` -X ${method}`;
    const comment = text === undefined ? '' : `# ${text}\n`;
    return `${comment}curl -f${verb} -H "X-Auth-Token: $KEY" $API${path}${options.join('')}${data}`;
  });
  return `## ${title}\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\``;
}

function errors(baseUrl: string): string {
  const rows = Object.entries(problemTypes).map(
    ([type, { status, title }]) =>
      `| ${status} | [${title}](${problemPage(baseUrl, type as keyof typeof problemTypes)}) |`,
  );
  return `## Errors

Errors are \`application/problem+json\` (RFC 9457). \`type\` is the URL of a page about the error, \`detail\` says what is wrong and
what to do, and \`instance\` is the request id. Every response has the request id in \`X-Request-Id\`; a request can send its own.
An invalid body is a 422 whose \`violations\` list every problem with its field.

| Status | Problem |
| --- | --- |
${rows.join('\n')}`;
}
