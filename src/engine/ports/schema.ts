/** Tables and indexes, and the migrations that create and change them. */
import type { ColumnType, Value } from './values.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default?: Value;
  readonly references?: {
    readonly table: string;
    readonly onDelete: 'cascade' | 'set null' | 'restrict' | 'no action';
  };
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** An integer column here is auto-incremented and never reuses a number. */
  readonly primaryKey: readonly string[];
  readonly counted: boolean;
}

export interface Index {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/**
 * An index for partial matches of texts. It finds every record with a text that contains the wanted one, and possibly
 * others, so the texts found must still be compared.
 */
export interface TextIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** The integer column with the record's identifier. Each row of a record has its own texts. */
  readonly record: string;
}

export interface Migration {
  /** Sorts after every earlier one, e.g. `0002-gtin`. */
  readonly name: string;
  readonly steps: readonly SchemaStep[];
}

/** One change of the schema or of its data. A closed set. */
export type SchemaStep = StructureStep | FillColumn | PublishRecords;

/** Adapters translate each to SQL. */
export type StructureStep =
  | { readonly step: 'create table'; readonly table: Table }
  | { readonly step: 'add column'; readonly table: string; readonly column: Column }
  | { readonly step: 'create index'; readonly index: Index }
  | { readonly step: 'create text index'; readonly index: TextIndex }
  | { readonly step: 'drop table'; readonly table: string }
  | { readonly step: 'drop column'; readonly table: string; readonly column: string }
  | { readonly step: 'drop index'; readonly index: string }
  | { readonly step: 'drop text index'; readonly index: string };

/** Fills a column of every row: from another column's text, or with the time of the migration. */
export interface FillColumn {
  readonly step: 'fill column';
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly Pick<Column, 'name' | 'type'>[];
  readonly from:
    | 'moment'
    | { readonly form: TextForm; readonly of: string }
    /** The search key of these texts in the objects of a column. */
    | { readonly form: 'key'; readonly of: string; readonly members: readonly string[] };
}

/** A form of a text stored for sorting, searching and comparing (`text-forms.ts`). */
export type TextForm = 'key' | 'match' | 'loose';

/** Publishes every existing record to the journal, after all current entries, resource by resource. */
export interface PublishRecords {
  readonly step: 'tell records';
  readonly records: readonly {
    readonly resource: string;
    readonly table: string;
    /** The column of the identifier. */
    readonly key: string;
    readonly path: readonly PathForm[];
  }[];
}

/** A form of addresses, and the conditions on rows whose address has it. */
export interface PathForm {
  /** One more than cells: before, between and after them. */
  readonly texts: readonly string[];
  readonly cells: readonly Cell[];
  /** `undefined`: anything but null. */
  readonly when: readonly { readonly cell: Cell; readonly is?: Value | undefined }[];
}

/** A column of the row itself, or of the row in another table whose key is in a cell. */
export interface Cell {
  readonly column: string;
  readonly of?: { readonly table: string; readonly key: string; readonly is: Cell };
}

/** The program cannot migrate the schema in the database. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/** Returns the migrations to apply, in order. Every adapter's `migrate` calls this under its lock. */
export function pendingMigrations(known: readonly Migration[], applied: readonly string[]): Migration[] {
  const knownNames = new Set(known.map((migration) => migration.name));
  const newest = [...knownNames].sort().at(-1) ?? 'none';
  const lastApplied = [...applied].sort().at(-1) ?? '';
  const foreign = applied.find((name) => !knownNames.has(name));
  if (foreign !== undefined) {
    throw new NewerSchema(
      `This store was last opened by a newer Purveyor (migration ${foreign}). This program supports migrations up to ${newest}. ` +
        'Install the newer version, or restore a backup made before the upgrade.',
    );
  }
  const pending = known
    .filter((migration) => !applied.includes(migration.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const late = pending.find((migration) => migration.name < lastApplied);
  if (late !== undefined) {
    throw new NewerSchema(
      `Migration ${late.name} sorts before ${lastApplied}, which is already applied to this store. ` +
        'Rename it to sort after every released migration.',
    );
  }
  return pending;
}
