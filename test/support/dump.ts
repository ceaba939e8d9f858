/**
 * Reads every row of every table of a store's database directly: for tests of stored and erased data, and of rejected requests
 * that must change nothing.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * @param url as in `DATABASE_URL`
 * @returns one sorted line for each row: the table, then the row as JSON
 */
export async function dumpTables(url: string): Promise<string> {
  const tables = tablesAt(url);
  try {
    return (await tables.read()).join('\n');
  } finally {
    await tables.close();
  }
}

/** A separate connection to a store's database. */
export interface Tables {
  /** @returns one line for each row, in the format of `dumpTables` */
  read(): Promise<string[]>;
  close(): Promise<void>;
}

/** Connects on the first read. */
export function tablesAt(url: string): Tables {
  return url.startsWith('sqlite:') ? new SqliteTables(url.slice('sqlite:'.length)) : new PostgresTables(url);
}

class SqliteTables implements Tables {
  readonly #file: string;
  #database: DatabaseSync | undefined;
  #tables: [name: string, rows: StatementSync][] = [];

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<string[]> {
    if (!this.#database) {
      const database = new DatabaseSync(this.#file, { readOnly: true });
      const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
      this.#tables = names.map(({ name }) => [name as string, database.prepare(`select * from "${name}"`)]);
      for (const [, rows] of this.#tables) rows.setReadBigInts(true);
      this.#database = database;
    }
    return this.#tables
      .flatMap(([name, rows]) => rows.all().map((row) => `${name} ${JSON.stringify(row, inFull)}`))
      .sort();
  }

  async close(): Promise<void> {
    this.#database?.close();
    this.#database = undefined;
  }
}

function inFull(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

class PostgresTables implements Tables {
  readonly #url: string;
  #client: pg.Client | undefined;
  #all = '';

  constructor(url: string) {
    this.#url = url;
  }

  async read(): Promise<string[]> {
    if (!this.#client) {
      const client = new pg.Client({ connectionString: this.#url });
      await client.connect();
      const tables = await client.query(
        "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'",
      );
      // One statement for all tables is faster than one for each.
      this.#all = tables.rows
        .map(({ name }) => `select '${name} ' || row_to_json(r)::text as line from "${name}" as r`)
        .join(' union all ');
      this.#client = client;
    }
    const { rows } = await this.#client.query({ text: this.#all, name: 'all' });
    return rows.map(({ line }) => line as string).sort();
  }

  async close(): Promise<void> {
    await this.#client?.end();
    this.#client = undefined;
  }
}
