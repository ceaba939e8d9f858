/** What the fuzzer knows of a store: existing and deleted records, and whether a request changed anything. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Case, Id, Raw } from './fuzz-cases.ts';

/** Detects commits. */
export interface Watch {
  /** @returns whether anything was committed since the last call */
  hasChanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** Tables that background jobs change. Requests that write to them write to other tables too. */
const CHANGED_BY_JOBS: ReadonlySet<string> = new Set([
  'change',
  'change_inbox',
  'audit_entry',
  'audit_inbox',
  'audit_path',
  'audit_value',
  'audit_hour',
  'setting',
  'file_claim',
  'released_file',
  'fuzz_change',
]);

/** Installs triggers that record every written row in the same transaction. */
export function watchSqlite(file: string): Watch {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 5000; create table fuzz_change (id integer primary key, made_in text)');
  const tables = database
    // Without virtual tables and their shadow tables, which cannot have triggers.
    .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'`)
    .all();
  for (const { name } of tables as { name: string }[])
    if (!CHANGED_BY_JOBS.has(name))
      for (const event of ['insert', 'update', 'delete'])
        database.exec(`create trigger "fuzz_${name}_${event}" after ${event} on "${name}"
          begin insert into fuzz_change (made_in) values ('${name} ${event}'); end`);
  const statement = database.prepare('select coalesce(max(id), 0) as last from fuzz_change');
  const read = () => (statement.get() as { last: number }).last;
  let last = read();
  return {
    async hasChanged() {
      const before = last;
      last = read();
      return last !== before;
    },
    async close() {
      database.close();
    },
  };
}

/** Like `watchSqlite`. */
export async function watchPostgres(url: string): Promise<Watch> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table fuzz_change (id bigint generated always as identity primary key, made_in text)');
  await client.query(
    `create function fuzz_note() returns trigger language plpgsql as
      'begin insert into fuzz_change (made_in) values (tg_table_name || '' '' || tg_op); return null; end'`,
  );
  const { rows } = await client.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'public'`,
  );
  for (const { tablename } of rows)
    if (!CHANGED_BY_JOBS.has(tablename))
      await client.query(
        `create trigger fuzz after insert or update or delete on "${tablename}" for each row execute function fuzz_note()`,
      );
  const read = { name: 'read', text: 'select coalesce(max(id), 0) as last from fuzz_change' };
  let last = '0';
  return {
    async hasChanged() {
      const before = last;
      last = (await client.query(read)).rows[0].last;
      return last !== before;
    },
    close: () => client.end(),
  };
}

/** Maximum number of remembered records per collection; the oldest are forgotten. */
const KNOWN_MAX = 60;

/** The collections to which the ids in fields and parameters belong. */
const HOLDERS: Readonly<Record<string, string>> = {
  product_id: '/products/{}',
  parent: '/categories/{}',
  category_id: '/categories/{}',
  groupId: '/attribute_groups/{}',
  tags: '/tags/{}',
  memberships: '/memberships/{}',
  stickers: '/stickers/{}',
  product_class: '/product_classes/{}',
  class_id: '/product_classes/{}',
  tax_class: '/tax_classes/{}',
  option: '/attributes_select/{}/options/{}',
  option_id: '/products/{}/attributes_select/{}/options/{}',
  attribute_id: '/attributes_text/{}',
};

/** Known records by path template, with `{}` for each parameter. */
export class Pool {
  readonly #live = new Map<string, string[][]>();
  readonly #gone = new Map<string, string[][]>();

  /** Adds a created record. */
  add(template: string, ids: readonly string[]): void {
    const known = this.#live.get(template) ?? [];
    known.push([...ids]);
    if (known.length > KNOWN_MAX) known.shift();
    this.#live.set(template, known);
  }

  /** Marks a record and everything below it as deleted. */
  remove(template: string, ids: readonly string[]): void {
    for (const [below, known] of this.#live) {
      if (below !== template && !below.startsWith(`${template}/`)) continue;
      const isIt = (one: readonly string[]): boolean => ids.every((id, index) => one[index] === id);
      const gone = this.#gone.get(below) ?? [];
      gone.push(...known.filter(isIt));
      this.#gone.set(below, gone.slice(-KNOWN_MAX));
      this.#live.set(
        below,
        known.filter((one) => !isIt(one)),
      );
    }
  }

  id({ field, pick }: Id): number {
    const known = this.#live.get(HOLDERS[field] ?? '/products/{}') ?? [];
    return Number(known[pick % (known.length + 1)]?.at(-1) ?? NO_SUCH_ID);
  }

  /** Selects the ids in the path of a case. */
  idsFor({ template, pick, path }: Case): string[] {
    const bare = bareTemplate(template);
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const found = this.#find(path.kind === 'gone' ? this.#gone : this.#live, bare, names, pick);
    if (path.kind === 'garbage') found[path.index] = path.text;
    if (path.kind === 'other' && found.length > 1) found[0] = this.#find(this.#live, bare, names, pick + 1)[0]!;
    return found;
  }

  #find(from: ReadonlyMap<string, string[][]>, bare: string, names: readonly string[], pick: number): string[] {
    for (let prefix = bare; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
      const known = from.get(prefix) ?? [];
      if (!prefix.endsWith('{}') || known.length === 0) continue;
      const ids = [...known[pick % known.length]!];
      for (const name of names.slice(ids.length)) ids.push(String(this.id(new Id(name, pick))));
      return ids;
    }
    return names.map((name) => String(this.id(new Id(name, pick))));
  }
}

const NO_SUCH_ID = 8_888_888_888;

/** Removes parameter names, which differ between paths. */
export function bareTemplate(template: string): string {
  return template.replace(/\{\w+\}/g, '{}');
}

export function bodyText(body: unknown, pool: Pool): string {
  return JSON.stringify(body, (_name, value) => {
    if (value instanceof Id) return pool.id(value);
    return value instanceof Raw ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(value.text) : value;
  });
}
