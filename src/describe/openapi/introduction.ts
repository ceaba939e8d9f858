/**
 * The reference's opening text, for a person before the first call. Its examples are of whatever the store holds, read
 * off the model.
 */
import {
  CHANGES_PATH,
  ITEMS_PER_PAGE_DEFAULT,
  ITEMS_PER_PAGE_MAX,
  type Model,
  type ModelResource,
  problemTypes,
  type Story,
  withArticle,
} from '../../engine/index.ts';
import { inputExample } from './examples.ts';
import { leadingResource } from './leading-resource.ts';
import { problemPage } from './problems.ts';

/** @returns Markdown */
export function introduction(model: Model, baseUrl: string): string {
  const leading = leadingResource(model);
  return [
    'Read and change everything the store holds, from any program that speaks HTTP and JSON.',
    gettingStarted(leading, baseUrl),
    KEYS,
    LANGUAGES,
    pages(leading),
    filters(leading),
    WRITING,
    COMPRESSION,
    CHANGES,
    linkedData(baseUrl),
    ...[...model.resources.values()].flatMap(({ declaration }) => (declaration.story ? tell(declaration.story) : [])),
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

Make ${withArticle(leading.name)}, then read it back. The first start printed keys, or named a file that has them; \`npx purveyor keys create NAME\` makes more.

\`\`\`sh
API=${baseUrl}/api
KEY=<your API key>
curl -H "X-Auth-Token: $KEY" $API${path} \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(Object.fromEntries(required))}'
curl -H "X-Auth-Token: $KEY" $API${path}
curl -H "X-Auth-Token: $KEY" $API${path}/1
\`\`\`

Or enter the key under **Authentication** here and press **Test Request** at any operation, then **Send**.`;
}

const KEYS = `## Authentication

Every request carries a key in the header \`X-Auth-Token\`. A **read/write** key may do everything, a **read-only** key may
only read. Read/write keys list, make and revoke keys at \`/keys\`. This reference and its documents need no key; without one, everything else is a 401.`;

const LANGUAGES = `## Languages

A request is made in one language: the best match of \`Accept-Language\` among the store’s enabled languages, else the store’s
default. \`Content-Language\` says which it was. Texts are written in that language and leave the others alone; a text never
written in a language is shown in the default one. All texts of a record, language by language, are
at \`…/translations\` below its address. Texts sent in a language that the store has not are a 400.`;

function pages(leading: ModelResource): string {
  return `## Pages

A collection answers with a plain array of at most \`itemsPerPage\` items (${ITEMS_PER_PAGE_DEFAULT} unless you say otherwise, at most ${ITEMS_PER_PAGE_MAX}).
\`X-Total-Count\` is the number of all items, and \`Link\` leads to the first, previous, next and last page.

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

Different filters must all hold; of a list (\`id[]=5&id[]=6\`) one must. Numbers have ranges (\`[gt]\`, \`[gte]\`, \`[lt]\`, \`[lte]\`,
\`[between]=5..9\`), date-times have \`[before]\`, \`[strictly_before]\`, \`[after]\` and \`[strictly_after]\`, links have \`[exists]=false\`. A link is
asked for by name or id, as its filter says, or by address; \`.id\` and \`.name\` behind it say which. An unknown parameter is a
400 that names the nearest one there is; \`Prefer: handling=lenient\` passes it over instead.

\`\`\`
${queries.map((query) => `GET ${collectionPath}?${query}`).join('\n')}
\`\`\``;
}

const WRITING = `## Writing

**POST** makes a record, **PUT** replaces it as a whole, **PATCH** changes only the fields that it carries. A record that was
read can be sent back by PUT as it is. A linked record is named by its name, its id, its address, or the object that output shows.
No field of output alone is dropped in silence: a body with another value for it is a 422.

A POST with an \`Idempotency-Key\` can be sent again when no answer came: it runs once, and every further time gets the first
answer, marked \`Idempotency-Replayed: true\`. It must be the same request: address, body, \`Accept-Language\`, \`Content-Type\`
and \`Prefer\`.

Nobody’s change is lost when you send the \`ETag\` that you read as \`If-Match\`: if the record changed meanwhile, the answer is
a 412 and nothing is done. \`If-None-Match\` on a write is the opposite: a 412 where there is a record (\`*\`), or one with this
tag. With \`If-None-Match\`, reading again what you have is a 304 without a body.`;

const COMPRESSION = `## Compression

With \`Accept-Encoding\`, bodies of more than 1 KB come as \`zstd\`, \`gzip\` or \`br\`, told by \`Content-Encoding\`. The \`ETag\` of each
ends differently; any of them may be sent back.`;

const CHANGES = `## Staying in step

\`GET ${CHANGES_PATH}\` tells every change of the store, deletions too, in the order in which they were made. It begins with all that the store
holds. From then on, a program asks for what came behind the last cursor that it has, and may wait for it.

\`\`\`
GET ${CHANGES_PATH}?limit=1000
GET ${CHANGES_PATH}?after=CURSOR&wait=30&include=record
\`\`\``;

function linkedData(baseUrl: string): string {
  return `## JSON-LD and Hydra

With \`Accept: application/ld+json\` every answer, errors included, comes as JSON-LD with Hydra: records with \`@id\` and \`@type\`,
collections with \`hydra:member\`. Generic clients begin at [${baseUrl}/api](${baseUrl}/api) and find the documentation in the header \`Link\`.
Bodies sent as \`application/ld+json\` may name records by their \`@id\`.`;
}

/** The steps as commands for a shell, with the variables of “Getting started”. */
function tell({ title, steps }: Story): string {
  const told = steps.map(({ text, method, path, headers = {}, body }) => {
    const all = { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) };
    const options = Object.entries(all).map(([name, value]) => ` \\\n  -H '${name}: ${value}'`);
    const data = body ? ` \\\n  -d '${JSON.stringify(body)}'` : '';
    const verb = method === 'GET' || method === 'POST' ? '' : ` -X ${method}`;
    const comment = text === undefined ? '' : `# ${text}\n`;
    return `${comment}curl -f${verb} -H "X-Auth-Token: $KEY" $API${path}${options.join('')}${data}`;
  });
  return `## ${title}\n\n\`\`\`sh\n${told.join('\n')}\n\`\`\``;
}

function errors(baseUrl: string): string {
  const rows = Object.entries(problemTypes).map(
    ([type, { status, title }]) =>
      `| ${status} | [${title}](${problemPage(baseUrl, type as keyof typeof problemTypes)}) |`,
  );
  return `## Errors

Every error is \`application/problem+json\` (RFC 9457): \`type\` leads to a page about it, \`detail\` says what is wrong here and what
to do, \`instance\` is the request id, which every answer has in \`X-Request-Id\`, too; a request may bring its own. A body that breaks rules is a 422 whose \`violations\` list every one with its field.

| Status | Problem |
| --- | --- |
${rows.join('\n')}`;
}
