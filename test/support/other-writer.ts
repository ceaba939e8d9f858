/** A separate process that writes to a SQLite file. Arguments: the path, and the number of rows for the table `thing`. */
import { sql } from 'kysely';
import { openSqlite } from '../../src/adapters/sqlite/database.ts';
import { run } from './database-scenario.ts';

const [file, count] = process.argv.slice(2);
const database = await openSqlite(file!);
for (let id = 0; id < Number(count); id += 1) await run(database, sql`insert into thing (id) values (${id})`);
await database.close();
