/** Every row of every table of a running store's database, past the program: for tests of what is kept and what is gone. */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** @param url as the store's configuration has it. @returns a line of JSON for each row, its table in front */
export async function dumpTables(url: string): Promise<string> {
  return (url.startsWith('sqlite:') ? dumpSqlite(url.slice('sqlite:'.length)) : await dumpPostgres(url)).join('\n');
}

function dumpSqlite(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .map((row) => `${name} ${JSON.stringify(row)}`),
    );
  } finally {
    database.close();
  }
}

async function dumpPostgres(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query(
      "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1",
    );
    const lines: string[] = [];
    for (const { name } of tables.rows)
      for (const row of (await client.query(`select * from "${name}"`)).rows)
        lines.push(`${name} ${JSON.stringify(row)}`);
    return lines;
  } finally {
    await client.end();
  }
}
