/**
 * The state that every request reads first: API keys (hashes) and languages. The same statement returns the changes
 * since the previous read, which validate cached responses (`cache-validator.ts`).
 */
import { sql } from 'kysely';
import type { KeyKind } from '../access/rights.ts';
import { JournalReader, type Row, type SeenChange, type Service, type Value } from '../engine/index.ts';
import { storedKeyId } from './keys/key-ids.ts';

export interface StoreState {
  readonly keys: readonly StoredKey[];
  /** Codes of the enabled languages. */
  readonly languages: readonly string[];
  /** Codes of the disabled languages, whose texts are still being prepared. */
  readonly disabledLanguages: readonly string[];
  readonly everyLanguage: readonly string[];
  readonly defaultLanguage: string;
}

export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Seconds since 1970 at which the key expires; null: never. */
  readonly expires: number | null;
  /** Hash and expiry of the key before the last rotation, if any. */
  readonly oldHash: string | null;
  readonly oldExpires: number | null;
  /** Only of scoped keys, like the masks. */
  readonly scopes: readonly string[];
  readonly masks: readonly string[];
  /** CIDR ranges from which requests are accepted; empty: any. */
  readonly networks: readonly string[];
  /** Only of publishable keys: the origins of the pages that use it. */
  readonly origins: readonly string[];
}

const KEY_COLUMNS = [
  ...['key_id', 'name', 'kind', 'hash', 'created', 'expires', 'old_hash', 'old_expires'],
  ...['scopes', 'masks', 'networks', 'origins'],
];

/**
 * Returns a function that reads the state. `changes` returns the changes since the previous state for which it was
 * called; undefined if they are not known. It must not be called for a state that is older than one already returned.
 */
export function stateReader({ database, statements }: Pick<Service, 'database' | 'statements'>): () => Promise<{
  state: StoreState;
  changes: () => readonly SeenChange[] | undefined;
}> {
  const { dialect } = database;
  const journal = new JournalReader(dialect);
  const statement = statements.get('store state', () => {
    const key = dialect.jsonArray(KEY_COLUMNS.map((column) => sql.id(column)));
    const language = dialect.jsonArray([sql.id('code'), sql.id('enabled'), sql.id('is_default')]);
    return sql`select
      (select ${dialect.jsonAggregate(key, sql.id('name'))} from ${sql.table('api_key')}),
      (select ${dialect.jsonAggregate(language, sql.id('code'))} from ${sql.table('language')}),
      ${journal.columns}`;
  });
  return async () => {
    const [row] = await database.query(statement, journal.values);
    const [keys, languages, ...entries] = row!;
    return { state: stateOf(keys, languages, dialect.decode), changes: () => journal.see(entries) };
  };
}

/** Reads the current state once. */
export async function readStoreState(service: Service): Promise<StoreState> {
  return (await stateReader(service)()).state;
}

function stateOf(keys: unknown, languages: unknown, decode: Service['database']['dialect']['decode']): StoreState {
  const rowsOf = (raw: unknown): Row[] => decode.json(raw as never) as unknown as Row[];
  const isTrue = (raw: Value): boolean => decode.boolean(raw as never) === true;
  const all = rowsOf(languages).map(([code, enabled, isDefault]) => ({
    code: code as string,
    isEnabled: isTrue(enabled as Value),
    isDefault: isTrue(isDefault as Value),
  }));
  const codes = (which: typeof all): string[] => which.map(({ code }) => code);
  return {
    keys: rowsOf(keys).map(
      ([id, name, kind, hash, created, expires, oldHash, oldExpires, scopes, masks, networks, origins]) => ({
        ...{ id: storedKeyId(id, name as string), name: name as string, kind: kind as KeyKind, hash: hash as string },
        ...{ created: created as number, expires: expires as number | null },
        ...{ oldHash: oldHash as string | null, oldExpires: oldExpires as number | null },
        ...{ scopes: listIn(scopes), masks: listIn(masks), networks: listIn(networks) },
        origins: listIn(origins),
      }),
    ),
    languages: codes(all.filter(({ isEnabled }) => isEnabled)),
    disabledLanguages: codes(all.filter(({ isEnabled }) => !isEnabled)),
    everyLanguage: codes(all),
    defaultLanguage: all.find(({ isDefault }) => isDefault)!.code,
  };
}

/** Reads a list that is stored as JSON; null: empty. */
export function listIn(raw: unknown): readonly string[] {
  return raw === null || raw === undefined ? [] : (JSON.parse(raw as string) as string[]);
}
