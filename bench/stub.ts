/**
 * Reference server: the four requests written by hand with Fastify and `node:sqlite`. It runs the engine's SQL
 * (statements.json) and sends the same bodies, without validation, conditional requests, languages or problem details. The
 * additional time of Purveyor is the cost of its engine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { fastify } from 'fastify';
import { BASE_URL, KEY, STATEMENTS_FILE } from './constants.ts';
import type { Recorded, RecordedStatements } from './statements.ts';

const [file, port] = process.argv.slice(2);
const database = new DatabaseSync(file!);
database.exec(
  'PRAGMA busy_timeout = 200; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -65536',
);

/** A prepared statement with its recorded values. Each request overwrites some of the values. */
interface Prepared {
  readonly statement: StatementSync;
  readonly values: SQLInputValue[];
  readonly indexesOf: (name: string) => number[];
}

const recorded = JSON.parse(readFileSync(STATEMENTS_FILE, 'utf8')) as RecordedStatements;
const record = prepare(recorded.record);
const page = prepare(recorded.page);
const filteredPage = prepare(recorded.filteredPage);
const [insertProduct, insertTexts, insertCleanUrl, insertTags, insertMemberships] = recorded.create
  .filter(({ sql }) => sql.startsWith('insert'))
  .map(prepare) as [Prepared, Prepared, Prepared, Prepared, Prepared];

const [recordId] = record.indexesOf('id') as [number];
const [pageOffset] = page.indexesOf('offset') as [number];
const filteredFrom = filteredPage.indexesOf('filter_0_from');
const filteredTo = filteredPage.indexesOf('filter_0_to');
const [filteredOffset] = filteredPage.indexesOf('offset') as [number];

const digest = createHash('sha256').update(KEY).digest();
const app = fastify();

app.addHook('onRequest', (request, reply, done) => {
  const key = request.headers['x-auth-token'];
  if (typeof key === 'string' && timingSafeEqual(createHash('sha256').update(key).digest(), digest)) return done();
  reply.code(401).send();
});

app.get<{ Params: { id: string } }>('/api/products/:id', (request, reply) => {
  const { values } = record;
  values[recordId] = Number(request.params.id);
  const row = record.statement.get(...values) as unknown as Row | undefined;
  if (!row) return reply.code(404).send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(productOf(row)));
});

const TOTAL = 40;

app.get<{ Querystring: Record<string, string | undefined> }>('/api/products', (request, reply) => {
  const { query } = request;
  const range = query['price[between]'];
  const offset = (Number(query.page ?? 1) - 1) * 30;
  const { statement, values } = range === undefined ? page : filteredPage;
  if (range === undefined) values[pageOffset] = offset;
  else {
    const [from, to] = range.split('..') as [string, string];
    for (const index of filteredFrom) values[index] = Number(from) * 10_000;
    for (const index of filteredTo) values[index] = Number(to) * 10_000;
    values[filteredOffset] = offset;
  }
  const rows = statement.all(...values) as unknown as Row[];
  reply.header('x-total-count', String(rows[0]![TOTAL])).type('application/json; charset=utf-8');
  return reply.send(JSON.stringify(rows[0]![0] === null ? [] : rows.map(productOf)));
});

interface Sent {
  sku: string;
  name: string;
  description: string;
  brief_description: string;
  meta_title: string;
  meta_description: string;
  price: number;
  market_price: number;
  cost_price: number;
  weight: number;
  amount: number;
  enabled: boolean;
  free_shipping: boolean;
  tags: number[];
  memberships: number[];
  product_class: { id: number };
  tax_class: { id: number };
}

/** Columns that are not listed have the values with which the statement was recorded. */
const productWriter = writer<Sent>(insertProduct, {
  sku: ({ sku }) => sku,
  sku_key: ({ sku }) => sku.toLowerCase(),
  sku_match: ({ sku }) => sku.toLowerCase(),
  clean_url: ({ name }) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
  price: ({ price }) => Math.round(price * 10_000),
  market_price: (sent) => Math.round(sent.market_price * 10_000),
  cost_price: (sent) => Math.round(sent.cost_price * 10_000),
  weight: ({ weight }) => Math.round(weight * 10_000),
  amount: ({ amount }) => amount,
  enabled: ({ enabled }) => Number(enabled),
  free_shipping: (sent) => Number(sent.free_shipping),
  create_date: now,
  update_date: now,
  arrival_date: now,
  product_class_id: (sent) => sent.product_class.id,
  tax_class_id: (sent) => sent.tax_class.id,
});
const textsWriter = writer<Sent & { id: number }>(insertTexts, {
  id: ({ id }) => id,
  name: ({ name }) => name,
  name_key: ({ name }) => name.toLowerCase(),
  description: ({ description }) => description,
  brief_description: (sent) => sent.brief_description,
  meta_description: (sent) => sent.meta_description,
  meta_title: (sent) => sent.meta_title,
});
const cleanUrlWriter = rowsWriter(insertCleanUrl, ({ id, name }) => [
  [name.toLowerCase().replace(/[^a-z0-9]+/g, '-'), id],
]);
const tagsWriter = rowsWriter(insertTags, ({ id, tags }) => tags.map((tag) => [id, tag]));
const membershipsWriter = rowsWriter(insertMemberships, ({ id, memberships }) =>
  memberships.map((membership) => [id, membership]),
);

app.post<{ Body: Sent }>('/api/products', (request, reply) => {
  const sent = request.body;
  database.exec('BEGIN IMMEDIATE');
  let row: Row;
  try {
    const [[id]] = productWriter(sent) as [[number]];
    const saved = { ...sent, id };
    for (const write of [textsWriter, cleanUrlWriter, tagsWriter, membershipsWriter]) write(saved);
    record.values[recordId] = id;
    row = record.statement.get(...record.values) as unknown as Row;
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
  reply.code(201).type('application/json; charset=utf-8');
  return reply.send(JSON.stringify(productOf(row)));
});

await app.listen({ host: '127.0.0.1', port: Number(port) });
process.on('SIGTERM', () => process.exit(0));

function prepare({ sql, placeholders, values }: Recorded): Prepared {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const indexesOf = (name: string): number[] =>
    placeholders.flatMap((placeholder, index) => (placeholder === name ? [index] : []));
  return { statement, values: [...values], indexesOf };
}

function writer<T>({ statement, values, indexesOf }: Prepared, columns: Record<string, (sent: T) => SQLInputValue>) {
  const fills = Object.entries(columns).map(([name, read]) => ({ index: indexesOf(name)[0]!, read }));
  return (sent: T): unknown[] => {
    for (const { index, read } of fills) values[index] = read(sent);
    return statement.all(...values);
  };
}

/** For statements whose only parameter is a JSON array of rows. */
function rowsWriter({ statement }: Prepared, rowsOf: (sent: Sent & { id: number }) => unknown[][]) {
  return (sent: Sent & { id: number }): unknown[] => statement.all(JSON.stringify(rowsOf(sent)));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

type Row = readonly [number, string, string, string, string, string, string, string, string, string, ...unknown[]];
type Named = readonly [id: number, name: string];

interface Image {
  readonly id: number;
  readonly position: number;
  readonly alt: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

function productOf(row: Row): object {
  const [id, sku, name, description, brief, metaTags, metaDescription, metaTitle, ogMetaTags, cleanUrl] = row;
  const images = (JSON.parse(row[37] as string) as unknown[][]).map(imageOf);
  return {
    id,
    sku,
    name,
    description,
    brief_description: brief,
    meta_tags: metaTags,
    meta_description: metaDescription,
    meta_title: metaTitle,
    og_meta_tags: ogMetaTags || markup(name, metaDescription || plainText(brief || description), cleanUrl, images),
    clean_url: cleanUrl,
    price: (row[10] as number) / 10_000,
    market_price: (row[11] as number) / 10_000,
    cost_price: (row[12] as number) / 10_000,
    sale_price_value: (row[13] as number) / 10_000,
    participate_sale: row[14] !== 0,
    discount_type: row[15],
    apply_sale_to_wholesale: row[16] !== 0,
    enabled: row[17] !== 0,
    weight: (row[18] as number) / 10_000,
    free_shipping: row[19] !== 0,
    taxable: row[20] !== 0,
    inventory_traceable: row[21] !== 0,
    amount: row[22],
    available_for_backorder: row[23] !== 0,
    backorder_limit: row[24],
    pin_codes_enabled: row[25] !== 0,
    auto_pin_codes: row[26] !== 0,
    facebook_marketing_enabled: row[27] !== 0,
    google_feed_enabled: row[28] !== 0,
    create_date: date(row[29] as number),
    update_date: date(row[30] as number),
    arrival_date: date(row[31] as number),
    stickers: JSON.parse(row[32] as string),
    tags: (JSON.parse(row[33] as string) as Named[]).map(namedOf),
    memberships: (JSON.parse(row[34] as string) as [number, string, number][]).map(membershipOf),
    product_class: row[35] === null ? null : namedOf(JSON.parse(row[35] as string) as Named),
    tax_class: row[36] === null ? null : namedOf(JSON.parse(row[36] as string) as Named),
    images,
  };
}

function imageOf([id, position, alt, name, width, height]: unknown[]): Image {
  return { id, position, alt, url: `${BASE_URL}/images/${name}`, width, height } as Image;
}

function namedOf([id, name]: Named): object {
  return { id, name };
}

function membershipOf([id, name, enabled]: readonly [number, string, number]): object {
  return { id, name, enabled: enabled !== 0 };
}

function date(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`;
}

function markup(title: string, description: string, cleanUrl: string, images: readonly Image[]): string {
  let text = meta('title', title);
  if (description) text += `\n${meta('description', description)}`;
  if (cleanUrl) text += `\n${meta('url', `${BASE_URL}/${encodeURIComponent(cleanUrl)}`)}`;
  if (images.length > 0) text += `\n${meta('image', images[0]!.url)}`;
  return text;
}

function meta(property: string, content: string): string {
  return `<meta property="og:${property}" content="${/[&<>"']/.test(content) ? escapeHtml(content) : content}" />`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Simplified: the texts of the benchmark are ASCII. */
function plainText(html: string): string {
  return html
    .slice(0, 3000)
    .replace(/<[^>]*>?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}
