/**
 * Every request asks the store for this first: its API keys (hashes) and its languages. One statement; remembered only
 * while the database can tell that nothing was committed since.
 */
import { sql } from 'kysely';
import type { Row, Service, Value } from '../engine/index.ts';

export interface StoreState {
  /** The database's generation that this was read in, where it has one. */
  readonly generation: number | undefined;
  readonly keys: readonly StoredKey[];
  /** Codes of the enabled languages. */
  readonly languages: readonly string[];
  /** Codes of the others, whose texts are still prepared. */
  readonly disabledLanguages: readonly string[];
  readonly everyLanguage: readonly string[];
  readonly defaultLanguage: string;
}

export interface StoredKey {
  readonly name: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
}

export type KeyKind = 'read-write' | 'read-only';

export function createStoreStateReader(service: Service): () => Promise<StoreState> {
  const { database } = service;
  let known: StoreState | undefined;
  return async () => {
    const generation = database.generation();
    if (known && generation !== undefined && generation === known.generation) return known;
    known = { generation, ...(await readStoreState(service)) };
    return known;
  };
}

async function readStoreState({ database, statements }: Service): Promise<Omit<StoreState, 'generation'>> {
  const statement = statements.get('store state', (dialect) => {
    const key = dialect.jsonArray([sql.id('name'), sql.id('kind'), sql.id('hash')]);
    const language = dialect.jsonArray([sql.id('code'), sql.id('enabled'), sql.id('is_default')]);
    return sql`select
      (select ${dialect.jsonAggregate(key, sql.id('name'))} from ${sql.table('api_key')}),
      (select ${dialect.jsonAggregate(language, sql.id('code'))} from ${sql.table('language')})`;
  });
  const [row] = await database.query(statement, {});
  const { decode } = database.dialect;
  const keys = rowsOf(decode.json(row![0] as never));
  const languages = rowsOf(decode.json(row![1] as never));
  const isTrue = (raw: unknown): boolean => decode.boolean(raw as never) === true;
  return {
    keys: keys.map(([name, kind, hash]) => ({ name: name as string, kind: kind as KeyKind, hash: hash as string })),
    languages: languages.filter(([, enabled]) => isTrue(enabled)).map(([code]) => code as string),
    disabledLanguages: languages.filter(([, enabled]) => !isTrue(enabled)).map(([code]) => code as string),
    everyLanguage: languages.map(([code]) => code as string),
    defaultLanguage: languages.find(([, , isDefault]) => isTrue(isDefault))![0] as string,
  };
}

function rowsOf(value: Value): Row[] {
  return value as unknown as Row[];
}
