/**
 * The changes of a unit, record by record, in their order. One statement writes them in the unit's transaction. Where
 * transactions write in turn, that statement gives the positions. Elsewhere the order of writes is not that of commits, so the
 * entries go to an inbox, and `order.ts` gives the positions after the commit.
 */
import { sql } from 'kysely';
import type { ModelResource } from '../model/model.ts';
import { BindParam, type ColumnType, type Dialect, RowsParam, type Statement, type Value } from '../ports.ts';
import type { Change, ChangeKind } from './commits.ts';
import type { Service } from './service.ts';

/** Collects the changes of one unit: of each record one. */
export class Journal {
  readonly #changes = new Map<string, { -readonly [K in keyof Change]: Change[K] }>();

  get changes(): readonly Change[] {
    return [...this.#changes.values()];
  }

  has({ name }: ModelResource, id: Value): boolean {
    return this.#changes.has(`${name} ${id}`);
  }

  /** A change of a part that its owner shows is the owner's change, which the unit notes too. */
  note(
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

  /** The version of a record that the unit has changed. */
  versionOf({ name }: ModelResource, id: Value): number | undefined {
    return this.#changes.get(`${name} ${id}`)?.version;
  }

  /** More fields of a record that the unit has changed already. */
  addFields(resource: ModelResource, id: Value, fields: readonly string[]): void {
    const known = this.#changes.get(`${resource.name} ${id}`);
    if (known?.kind === 'updated') known.fields = [...new Set([...known.fields, ...fields])];
  }
}

/** A record that was made in this unit stays a new one, and one that is made again in the place of another changed. */
function nextKind(before: ChangeKind, now: ChangeKind): ChangeKind {
  if (before === 'deleted') return now === 'created' ? 'updated' : now;
  return before === 'created' ? 'created' : now;
}

/** The columns that `Change` has in the journal's tables, in this order. */
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

/** The position that the last change has. The newest entry is never forgotten, so no position is given twice. */
export const LAST_POSITION = sql`(select coalesce(max(position), 0) from ${sql.table('change')})`;

function insertChanges(dialect: Dialect) {
  return dialect.writesInTurn
    ? sql`insert into ${sql.table('change')} (position, ${CHANGE_COLUMNS})
        select ${LAST_POSITION} + ordinal, ${GIVEN} from ${dialect.given(ROWS)}`
    : sql`insert into ${sql.table('change_inbox')} (${CHANGE_COLUMNS}) select ${GIVEN} from ${dialect.given(ROWS)} order by ordinal`;
}

/** Most units change one record, which costs less without a list of rows. */
function insertChange(dialect: Dialect) {
  const placeholders = sql.join(COLUMNS.map(([name, type]) => dialect.placeholder(new BindParam(name, type))));
  return dialect.writesInTurn
    ? sql`insert into ${sql.table('change')} (position, ${CHANGE_COLUMNS}) values (${LAST_POSITION} + 1, ${placeholders})`
    : sql`insert into ${sql.table('change_inbox')} (${CHANGE_COLUMNS}) values (${placeholders})`;
}

/**
 * The statement that writes a unit's changes, and its values.
 * @param mark drawn by chance: it tells this unit's entries from those that a copy of the store has at the same positions
 */
export function journalStatement(
  { statements }: Service,
  changes: readonly Change[],
  { keyName, now, mark }: { readonly keyName: string; readonly now: number; readonly mark: number },
): { readonly statement: Statement; readonly values: Readonly<Record<string, Value>> } {
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
  if (rows.length > 1) return { statement: statements.get('write changes', insertChanges), values: { rows } };
  const values = Object.fromEntries(COLUMNS.map(([name], index) => [name, rows[0]![index]!]));
  return { statement: statements.get('write change', insertChange), values };
}
