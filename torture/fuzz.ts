/**
 * Sends requests generated from the OpenAPI document, valid ones and ones with a single error, to a store on SQLite and one on
 * PostgreSQL. Checks that each response is documented and not a 5xx, that rejected requests change nothing, that reads return
 * what was written, and that both databases give equivalent responses.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openApiDocument } from '../src/describe/openapi.ts';
import { openDatabase, storeModel } from '../src/wiring/open.ts';
import { assertReplayable } from '../test/support/audit.ts';
import { type HttpResponse, sendRequest } from '../test/support/client.ts';
import { type DatabaseName, freshDatabase } from '../test/support/databases.ts';
import { type Case, cases, Id } from './fuzz-cases.ts';
import { bareTemplate, bodyText, Pool, type Watch, watchPostgres, watchSqlite } from './fuzz-stores.ts';
import { Broken } from './ledger.ts';
import type { Run } from './report.ts';
import { KEY, placeIn, Server } from './server.ts';

export interface FuzzOptions {
  readonly cases: number;
  readonly databases: readonly DatabaseName[];
  /** Collects one failure of each kind instead of stopping at the first. */
  readonly continueOnFailure?: boolean;
}

export interface FuzzResult {
  readonly cases: number;
  /** Number of responses by status, for the first database. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly failures: readonly string[];
}

export async function fuzz({ seed, folder, say }: Run, options: FuzzOptions): Promise<FuzzResult> {
  const lanes: Lane[] = [];
  const failures = new Map<string, string>();
  const started = performance.now();
  let sent = 0;
  try {
    for (const name of options.databases) lanes.push(await Lane.open(name, join(folder, name)));
    const document = openApiDocument(storeModel(), { baseUrl: '', programVersion: 'fuzz', specVersion: '3.1.0' });
    const arbitrary = cases(document);
    for (let round = 0; sent < options.cases; round += 1) {
      const numRuns = Math.min(ROUND, options.cases - sent);
      const property = fc.asyncProperty(arbitrary, async (one) => {
        sent += 1;
        try {
          await play(lanes, one);
        } catch (error) {
          if (!options.continueOnFailure || !(error instanceof Violation)) throw error;
          if (failures.has(error.kind)) return;
          failures.set(error.kind, error.message);
          say(`${failures.size}. ${error.kind}\n${error.message}\n`);
        }
      });
      // Shrinking sends further requests to the changed stores, so it stops if the failure does not recur.
      const checked = await fc.check(property, { seed: seed + round, numRuns, verbose: 0 });
      if (checked.failed) throw new Broken((checked.errorInstance as Error | undefined)?.message ?? String(checked));
      if (sent % REPORT_EVERY < ROUND) {
        const seconds = (performance.now() - started) / 1000;
        say(`${sent} cases, ${Math.round(sent / seconds)} per second: ${JSON.stringify(lanes[0]!.statuses)}`);
      }
    }
    for (const lane of lanes) await lane.replayAudit();
  } finally {
    for (const lane of lanes) await lane.close();
  }
  say(`${sent} cases on ${options.databases.join(' and ')}: ${JSON.stringify(lanes[0]!.statuses)}`);
  if (failures.size > 0) throw new Broken(`${failures.size} kinds of failure, listed above.`);
  return { cases: sent, statuses: lanes[0]!.statuses, failures: [...failures.values()] };
}

const ROUND = 500;
const REPORT_EVERY = 5000;

class Violation extends Error {
  readonly kind: string;
  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

async function play(lanes: readonly Lane[], one: Case): Promise<void> {
  // Waits for both, so that none is still busy when the next case starts.
  const settled = await Promise.allSettled(lanes.map((lane) => lane.play(one)));
  for (const each of settled) if (each.status === 'rejected') throw each.reason;
  const [first, ...others] = settled.map((each) => (each as PromiseFulfilledResult<Played>).value);
  for (const other of others) {
    if (first!.outline === other.outline) continue;
    const kind = `unlike ${one.method} ${one.template} ${one.mutation ?? ''}`;
    throw new Violation(kind, `The databases gave different responses.\n${first!.description}\n${other.description}`);
  }
}

interface Played {
  /** The part of the response that must be equal for both databases. */
  readonly outline: string;
  readonly description: string;
}

/** One store with its database. */
class Lane {
  readonly #name: DatabaseName;
  readonly #server: Server;
  readonly #address: string;
  readonly #databaseUrl: string;
  readonly #watch: Watch;
  readonly #remove: () => Promise<void>;
  readonly #pool = new Pool();
  readonly statuses: Record<number, number> = {};

  private constructor(
    name: DatabaseName,
    { server, address, databaseUrl }: { server: Server; address: string; databaseUrl: string },
    watch: Watch,
    remove: () => Promise<void>,
  ) {
    this.#databaseUrl = databaseUrl;
    this.#name = name;
    this.#server = server;
    this.#address = address;
    this.#watch = watch;
    this.#remove = remove;
  }

  static async open(name: DatabaseName, folder: string): Promise<Lane> {
    mkdirSync(folder, { recursive: true });
    const database = name === 'postgres' ? await freshDatabase('postgres') : undefined;
    const storeLocation = placeIn(folder, database?.url);
    const server = new Server(storeLocation, {
      // Generating cases takes seconds on a busy machine, and idle connections must stay open meanwhile.
      environment: { LANGUAGES: 'de,fr,pt-BR', FAILED_KEYS_PER_MINUTE: '0', KEEP_ALIVE_SECONDS_MAX: '120' },
    });
    const address = await server.ready();
    // After the first response, the server has finished its startup work.
    await sendRequest(address, 'GET', '/api/products', { key: KEY });
    const watch = database ? await watchPostgres(database.url) : watchSqlite(storeLocation.file!);
    return new Lane(name, { server, address, databaseUrl: storeLocation.databaseUrl }, watch, async () =>
      database?.remove(),
    );
  }

  /** Asserts that the audit of the valid writes reproduces every record. */
  async replayAudit(): Promise<void> {
    const database = await openDatabase({ databaseUrl: this.#databaseUrl, databaseSchema: '' });
    await assertReplayable(database).finally(() => database.close());
  }

  async close(): Promise<void> {
    await this.#watch.close();
    await this.#server.end('SIGKILL');
    await this.#remove();
  }

  async play(one: Case): Promise<Played> {
    const ids = this.#pool.idsFor(one);
    const path = this.#path(one, ids);
    const text = one.body === undefined ? undefined : bodyText(one.body, this.#pool);
    const body = text === undefined || !one.spoil ? text : one.spoil(text);
    const curl = curlOf(this.#address, one, path, body);
    const response = await this.#send(one, path, body, curl);
    this.statuses[response.status] = (this.statuses[response.status] ?? 0) + 1;
    const description = `${this.#name}: ${response.status} ${response.text.slice(0, 1500)}\n${curl}`;
    const fail = (what: string): never => {
      throw new Violation(`${what}: ${one.method} ${one.template} ${one.mutation ?? ''}`, `${what}.\n${description}`);
    };
    // The stores of the fuzzer send no mails, which is no fault.
    if (response.status >= 500 && !/\/mail-not-configured"/.test(response.text)) fail(`A ${response.status}`);
    const hasChanged = await this.#watch.hasChanged();
    if (hasChanged && (response.status >= 400 || one.method === 'GET'))
      fail('A rejected request or a read changed something');
    // Verifies that the watch works.
    const hasCreated = response.status === 201 && !response.headers['idempotency-replayed'];
    if (hasCreated && !hasChanged) fail('A record was created, but no change was detected');
    if (response.status < 300) await this.#note(one, ids, path, response, fail);
    return { outline: outlineOf(one, response).replaceAll(this.#address, ''), description };
  }

  #path({ template, query }: Case, ids: readonly string[]): string {
    let index = 0;
    const path = template.replace(/\{\w+\}/g, () => ids[index++]!);
    const pairs = query.map(([name, value]) => {
      const shown = value instanceof Id ? this.#pool.id(value) : String(value);
      return `${encodeURIComponent(name)}=${encodeURIComponent(String(shown).toWellFormed())}`;
    });
    return `/api${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  }

  async #send(one: Case, path: string, body: string | Buffer | undefined, curl: string): Promise<HttpResponse> {
    try {
      return await sendRequest(this.#address, one.method, path, {
        key: KEY,
        headers: { ...(one.method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }), ...one.headers },
        ...(body !== undefined && { body }),
      });
    } catch (error) {
      const { message, name } = error as Error;
      const what = name === 'AssertionError' ? 'An undocumented response' : 'No response';
      throw new Violation(
        `${what}: ${one.method} ${one.template} ${one.mutation ?? ''}`,
        `${what}.\n${this.#name}: ${message}\n${curl}${this.#server.hasEnded ? `\n${this.#server.output}` : ''}`,
      );
    }
  }

  /** Records created and deleted records, and reads the written one. */
  async #note(
    one: Case,
    ids: readonly string[],
    path: string,
    response: HttpResponse,
    fail: (what: string) => never,
  ): Promise<void> {
    const bare = bareTemplate(one.template);
    if (one.method === 'DELETE') {
      this.#pool.remove(bare, ids);
      const gone = await sendRequest(this.#address, 'GET', path.split('?')[0]!, { key: KEY });
      if (gone.status < 400) fail('A deleted record still exists');
      return;
    }
    if (one.method === 'GET' || response.headers['idempotency-replayed']) return;
    const { location } = response.headers;
    if (one.method === 'POST' && response.status === 201) {
      const id = location?.split('/').at(-1);
      const isBelow =
        location !== undefined &&
        bareTemplate(one.template).split('/').length + 1 === pathOf(location).split('/').length - 1;
      if (isBelow) this.#pool.add(`${bare}/{}`, [...ids, id!]);
    }
    if (!/json/.test(String(response.headers['content-type'])) || response.text === '') return;
    // Deliveries change these records concurrently.
    if (isOfWebhooks(one)) return;
    // Actions return another record than a read of their address, if that can be read at all.
    if (
      /\/(stock|move|\w+_status|edit|restore|retry|preview|erase|export|check_password)$|^\/categories\/\{\w+\}\/products$/.test(
        one.template,
      )
    )
      return;
    const at = location === undefined ? path.split('?')[0]! : pathOf(location);
    const read = await sendRequest(this.#address, 'GET', at, {
      key: KEY,
      headers: pick(one.headers, 'accept-language', 'accept'),
    });
    if (read.status !== 200) fail(`The written record cannot be read: ${read.status} ${read.text.slice(0, 300)}`);
    if (read.text !== withoutKey(response.text))
      fail(`The read differs from the response of the write: ${read.text.slice(0, 1500)}`);
    if (response.headers.etag && read.headers.etag !== response.headers.etag)
      fail(`The ETags differ: ${read.headers.etag}`);
    if (one.mutation === undefined) assertStored(one, read.json, fail);
  }
}

function pathOf(location: string): string {
  return location.replace(/^https?:\/\/[^/]+/, '');
}

/** Numbers and booleans must be read as they were sent. Texts may be normalized. */
function assertStored({ body }: Case, read: Record<string, unknown>, fail: (what: string) => never): void {
  for (const [name, value] of Object.entries(body as object)) {
    const isPlain = typeof value === 'number' || typeof value === 'boolean';
    if (!isPlain || !(name in read) || typeof read[name] === 'object') continue;
    if (read[name] !== value) fail(`${name} was sent as ${value} but read as ${read[name]}`);
  }
}

function pick(headers: Readonly<Record<string, string>>, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}

/** Ids, timestamps and values derived from them differ between stores. */
const STORE_SPECIFIC =
  /^(id|key|cursor|.*_at|.*_id|.*Id|.*date.*|url|.*_url|order_number|instance|detail|message|@id|@context|attribute|option|public_.*|file.*|parent|path|view|member|hydra.*|changes|.*hash)$/;

function outlineOf(one: Case, response: HttpResponse): string {
  const { method, query } = one;
  if (response.text === '') return String(response.status);
  const json = response.json;
  if (response.status === 422 && json.violations) {
    const violations = json.violations.map(
      ({ propertyPath, code }: Record<string, string>) => `${propertyPath} ${code}`,
    );
    return `422 ${violations.sort().join(', ')}`;
  }
  // Timestamps may differ by a second, so lists may differ in order and filter results.
  if (isOfWebhooks(one) || (method === 'GET' && query.length > 0)) return String(response.status);
  if (response.status >= 400) return `${response.status} ${json.type?.split('/').at(-1)}`;
  return `${response.status} ${JSON.stringify(json, (name, value) => (STORE_SPECIFIC.test(name) || String(value).startsWith('http://127.') ? undefined : value))}`;
}

function curlOf(address: string, one: Case, path: string, body: string | Buffer | undefined): string {
  const headers = {
    'content-type': one.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    ...one.headers,
  };
  const sent = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  const shown = (typeof body === 'object' ? body.toString('latin1') : (body ?? ''))
    .slice(0, 3000)
    .replaceAll("'", "'\\''");
  return `curl -X ${one.method} '${address}${path.slice(0, 2000)}' -H 'X-Auth-Token: ${KEY}' ${sent.join(' ')}${body === undefined ? '' : ` --data-binary '${shown}'`}`;
}

/** Removes the API key, which only the response of its creation contains. */
function withoutKey(text: string): string {
  return text.replace(/"key":"pv_[^"]*",/, '');
}

function isOfWebhooks({ template }: Case): boolean {
  return template.startsWith('/webhooks');
}
