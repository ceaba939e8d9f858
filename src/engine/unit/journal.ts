/**
 * The changes of a unit, one per record, written by one statement of its transaction. If the database serializes write
 * transactions, the statement assigns journal positions. Otherwise writes and commits differ in order, so the entries
 * go to an inbox, and `journal-order.ts` assigns positions after the commit.
 */
import { sql } from 'kysely';
import type { ModelResource } from '../model/model.ts';
import { BindParam, type ColumnType, type Dialect, RowsParam, type Value } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import type { Change, ChangeKind } from './commits.ts';

/** Collects the changes of one unit, merged per record. */
export class Journal {
  readonly #changes = new Map<string, { -readonly [K in keyof Change]: Change[K] }>();

  get changes(): readonly Change[] {
    return [...this.#changes.values()];
  }

  has({ name }: ModelResource, id: Value): boolean {
    return this.#changes.has(`${name} ${id}`);
  }

  /** Adds a change. Ignores parts shown by their owner, because the unit adds a change of the owner as well. */
  add(
    resource: ModelResource,
    id: Value,
    kind: ChangeKind,
    { version, path }: Pick<Change, 'version' | 'path'>,
    fields: readonly string[] = [],
  ): void {
    if (resource.isPublishedByOwner || resource.isUnpublished) return;
    const key = `${resource.name} ${id}`;
    const known = this.#changes.get(key);
    if (known?.kind === 'created' && kind === 'deleted') this.#changes.delete(key);
    else if (!known) this.#changes.set(key, { resource: resource.name, id, path, kind, version, fields });
    else {
      known.kind = nextKind(known.kind, kind);
      known.version = version;
      known.path = path;
      known.fields = known.kind === 'updated' ? [...new Set([...known.fields, ...fields])] : [];
    }
  }

  /** The current version of a record that the unit has changed. */
  versionOf({ name }: ModelResource, id: Value): number | undefined {
    return this.#changes.get(`${name} ${id}`)?.version;
  }

  /** Adds changed fields to a record that the unit has already changed. */
  addFields(resource: ModelResource, id: Value, fields: readonly string[]): void {
    const known = this.#changes.get(`${resource.name} ${id}`);
    if (known?.kind === 'updated') known.fields = [...new Set([...known.fields, ...fields])];
  }
}

/** A record created in this unit remains created, and one that is created after its deletion is updated. */
function nextKind(before: ChangeKind, now: ChangeKind): ChangeKind {
  if (before === 'deleted') return now === 'created' ? 'updated' : now;
  return before === 'created' ? 'created' : now;
}

/** Columns of a `Change` in the journal tables. */
const COLUMNS: readonly (readonly [name: string, type: ColumnType])[] = [
  ['resource', 'text'],
  ['record', 'text'],
  ['path', 'text'],
  ['kind', 'text'],
  ['version', 'integer'],
  ['fields', 'json'],
  ['key_name', 'text'],
  ['at', 'timestamp'],
  ['mark', 'integer'],
];

export const CHANGE_COLUMNS = sql.join(COLUMNS.map(([name]) => sql.id(name)));

const ROWS = new RowsParam(
  'rows',
  COLUMNS.map(([, type]) => type),
);
const GIVEN = sql.join(COLUMNS.map((_, index) => sql.id(`c${index}`)));

/** The position of the last change. The newest entry is never deleted, so positions are not reused. */
export const LAST_POSITION = sql`(select coalesce(max(position), 0) from ${sql.table('change')})`;

function insertChanges(dialect: Dialect) {
  return dialect.writesInTurn
    ? sql`insert into ${sql.table('change')} (position, ${CHANGE_COLUMNS})
        select ${LAST_POSITION} + ordinal, ${GIVEN} from ${dialect.given(ROWS)}`
    : sql`insert into ${sql.table('change_inbox')} (${CHANGE_COLUMNS}) select ${GIVEN} from ${dialect.given(ROWS)} order by ordinal`;
}

/** Most units change one record, which is faster without a list of rows. */
function insertChange(dialect: Dialect) {
  const placeholders = sql.join(COLUMNS.map(([name, type]) => dialect.placeholder(new BindParam(paramOf(name), type))));
  return dialect.writesInTurn
    ? sql`insert into ${sql.table('change')} (position, ${CHANGE_COLUMNS}) values (${LAST_POSITION} + 1, ${placeholders})`
    : sql`insert into ${sql.table('change_inbox')} (${CHANGE_COLUMNS}) values (${placeholders})`;
}

/** Differs from the parameters of audit entries, which the same statement may insert. */
function paramOf(column: string): string {
  return `change ${column}`;
}

/** A statement that inserts rows, built once per key. */
export interface Insert {
  readonly key: string;
  readonly build: (dialect: Dialect) => Expression;
  readonly values: Readonly<Record<string, Value>>;
}

/**
 * Returns the statement that writes a unit's changes, and its bind values.
 * @param mark random number that distinguishes this unit's entries from those of a copied store at the same positions
 */
export function journalInsert(
  changes: readonly Change[],
  { keyName, now, mark }: { readonly keyName: string; readonly now: number; readonly mark: number },
): Insert {
  const rows = changes.map(({ resource, id, path, kind, version, fields }): Value[] => [
    resource,
    String(id),
    path,
    kind,
    version,
    [...fields],
    keyName,
    now,
    mark,
  ]);
  if (rows.length > 1) return { key: 'write changes', build: insertChanges, values: { rows } };
  const values = Object.fromEntries(COLUMNS.map(([name], index) => [paramOf(name), rows[0]![index]!]));
  return { key: 'write change', build: insertChange, values };
}
