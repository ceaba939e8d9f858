/**
 * The engine's ports: database, image store, image decoder, clock, random values. Adapters implement them; the engine
 * never imports an adapter.
 */
import type { RawBuilder } from 'kysely';

/**
 * A value as the engine represents it. Decimals are numbers with at most 14 significant digits (exact as text);
 * timestamps are whole seconds since 1970-01-01T00:00:00Z.
 */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** All column types. Every kind of field is stored in one of these, and every database maps these. */
export type ColumnType = 'text' | 'integer' | 'decimal' | 'boolean' | 'timestamp' | 'json';

/** One row: values by position, as returned by the driver. */
export type Row = readonly unknown[];

/** A bind parameter of a statement. With `list`, it takes any number of values. */
export class BindParam {
  readonly name: string;
  readonly type: ColumnType;
  readonly list: boolean;
  constructor(name: string, type: ColumnType, list = false) {
    this.name = name;
    this.type = type;
    this.list = list;
  }
}

/** A bind parameter for any number of rows, with values in the order of these types. */
export class RowsParam {
  readonly name: string;
  readonly types: readonly ColumnType[];
  constructor(name: string, types: readonly ColumnType[]) {
    this.name = name;
    this.types = types;
  }
}

/** A compiled statement: SQL text and its bound values (bind parameters, and constants of the statement). */
export interface Statement {
  readonly sql: string;
  readonly placeholders: readonly unknown[];
}

/** The differences between SQL databases that the engine's own statements need to know. */
export interface Dialect {
  readonly name: string;
  /** Converts driver values to engine values by column type, both from columns and from JSON. */
  readonly decode: Readonly<Record<ColumnType, (raw: never) => Value>>;
  /** A JSON array of expressions, e.g. `json_array(a, b)`. */
  jsonArray(expressions: readonly RawBuilder<unknown>[]): RawBuilder<unknown>;
  /** All rows' values as one JSON array in the given order. Never null. */
  jsonAggregate(expression: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A bind parameter as a typed expression. */
  placeholder(param: BindParam): RawBuilder<unknown>;
  /** The values of a list parameter as a one-column table `listed` with the column `value`. */
  listed(param: BindParam): RawBuilder<unknown>;
  /** The rows of a parameter as a table `given` with the columns `c0`, `c1`, … and the row number `ordinal`. */
  given(param: RowsParam): RawBuilder<unknown>;
  /**
   * A query for the records whose texts contain all trigrams of one of the lists in this parameter: JSON such as
   * `["shi","hir","irt"]`. Each list has at least one trigram.
   */
  havingTrigrams(index: TextIndex, param: BindParam): RawBuilder<unknown>;
  /** A text that changes when another server has taken over after a failover. Otherwise constant. */
  readonly timeline: RawBuilder<unknown>;
  /** Write transactions are serialized, so the order of writes equals the order of commits. */
  readonly writesInTurn: boolean;
  /**
   * A query for the next number of a table with only a counted column. Concurrent raises may produce a number twice; a
   * unique index then rejects one transaction, which runs again.
   */
  nextNumber(table: string): RawBuilder<unknown>;
  /** A query that raises the next numbers above the parameter's value; lower values have no effect. Not concurrent. */
  raiseNumber(table: string, param: BindParam): RawBuilder<unknown>;
  /** A query for the last number that a counted table has assigned, or null. */
  lastNumber(table: string): RawBuilder<unknown>;
  /** A query that makes a new, empty counted table continue above the parameter's number. */
  startAfterNumber(table: string, param: BindParam): RawBuilder<unknown>;
  /** Appended to a SELECT to lock its rows until the transaction ends. */
  readonly forUpdate: RawBuilder<unknown>;
  /** Like `forUpdate`, and also prevents other transactions from inserting rows that reference these. */
  readonly forRemoval: RawBuilder<unknown>;
  /** Compiles a query. Placeholders are in the order of the SQL text. */
  compile(query: RawBuilder<unknown>): Statement;
}

export interface Transaction {
  /** Runs one statement and returns its rows. Not concurrent; a failed statement aborts the transaction. */
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /**
   * Acquires a lock by name, across all processes of the store, until the transaction ends. No effect in databases that
   * serialize write transactions.
   */
  lock(name: string): Promise<void>;
}

/** A consistent snapshot of the whole store. */
export interface StoreSnapshot {
  /** Names of the applied migrations, in order. Empty if the database contains no store. */
  readonly migrations: readonly string[];
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
}

/** A store being created, invisible to others until it is complete. */
export interface NewStore {
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /** Checks references, which may be violated until now; rejects if one is. The last call. */
  checkReferences(): Promise<void>;
}

/**
 * The database of the store.
 *
 * Guarantees: `query` reads one committed snapshot. `transaction` is atomic, and durable when it resolves. After a
 * conflict with another writer (a unique value, a deadlock) `work` runs again, a few times, so it must have no effects
 * outside the transaction. An unavailable database raises `DatabaseUnavailable`.
 */
export interface Database {
  readonly dialect: Dialect;
  query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /**
   * Like `query`, for a statement that may scan all records. It does not block other statements for long; if it takes
   * too long, it raises `SearchGivenUp`.
   */
  search(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /** Like `search`, for background work: searches do not wait for it, and closing the database aborts it. */
  scan(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * A number that stays the same only if there was no commit in between, by any process. Undefined if determining it
   * costs as much as a query.
   */
  generation(): number | undefined;
  /** The same for commits of other processes. Own changes are in the journal. */
  generationOfOthers(): number | undefined;
  /** Applies pending migrations under a lock and returns their names. Rejects a newer schema. */
  migrate(migrations: readonly Migration[]): Promise<string[]>;
  /** Names of the applied migrations, in order. Empty if the database contains no store. */
  applied(): Promise<string[]>;
  /** Checks the integrity of the database and returns at most 100 faults, one sentence each. Reads everything once. */
  faults(): Promise<string[]>;
  /** Runs `work` on a consistent snapshot. Writers are not blocked; schema changes wait or are not visible. */
  storeSnapshot<T>(work: (storeSnapshot: StoreSnapshot) => Promise<T>): Promise<T>;
  /**
   * Like `storeSnapshot`, without checks of schema and integrity, for requests that read much data. The caller limits
   * its duration.
   */
  snapshot<T>(work: (run: StoreSnapshot['run']) => Promise<T>): Promise<T>;
  /** Removes deleted and replaced data from the database files, as far as the program can do that itself. */
  scrub(): Promise<void>;
  /** Creates a store of this schema and fills it, atomically. Raises `StoreExists` if there is one. */
  found(migrations: readonly Migration[], fill: (store: NewStore) => Promise<void>): Promise<void>;
  /**
   * Resolves, with the reason, if the state of the disk is unknown (a failed fsync). From then on every transaction
   * raises `DatabaseUnavailable`. The server exits, because only a new process can determine what was written.
   */
  readonly broken: Promise<Error>;
  /** Resolves, with a sentence for the log, if an external cause makes the database grow unnecessarily. */
  readonly warning: Promise<string>;
  close(): Promise<void>;
}

/** The database is unavailable. Retrying later may succeed. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** A lock was not released within the time limit. The class name is a value of the metric label `error_type`. */
export class LockedTooLong extends DatabaseUnavailable {
  override readonly name = 'LockedTooLong';
}

/**
 * The search exceeded its time limit. A narrower search, or a later one, may succeed. The class name is a value of the
 * metric label `error_type`.
 */
export class SearchGivenUp extends Error {
  override readonly name = 'SearchGivenUp';
}

/** The program cannot migrate the schema in the database. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/** The database already contains a store. */
export class StoreExists extends Error {
  override readonly name = 'StoreExists';
}

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
  readonly from: 'moment' | { readonly form: TextForm; readonly of: string };
}

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

/** A form of a text stored for sorting, searching and comparing (`text-forms.ts`). */
export type TextForm = 'key' | 'match' | 'loose';

export interface Migration {
  /** Sorts after every earlier one, e.g. `0002-gtin`. */
  readonly name: string;
  readonly steps: readonly SchemaStep[];
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

/** `<sha256>.<extension>`; thumbnails append `.<width>.<extension>`. */
const FILE_NAME = /^([0-9a-f]{64}\.(?:jpg|png|gif|webp|avif))(?:\.[1-9]\d{1,3}\.(?:jpg|png|gif|webp|avif))?$/;

/**
 * Returns the name of the image that a file contains or is a thumbnail of. Undefined if it is not an image file name.
 */
export function imageOf(name: string): string | undefined {
  return FILE_NAME.exec(name)?.[1];
}

/**
 * Storage of image files. An image's name is `<sha256 of its bytes>.<extension>`, so the content of a name never
 * changes. A thumbnail's name begins with that of its image (`imageOf`); a lost thumbnail is created again. An
 * unavailable store raises `ImagesUnavailable`.
 */
export interface ImageStore {
  /** Resolves when the bytes are durably stored under this name, replacing any others. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Size in bytes; undefined if the file does not exist. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The whole file; undefined if it does not exist. */
  get(name: string): Promise<Uint8Array | undefined>;
  /**
   * Opens the file, or a part of it, for streaming; undefined if it does not exist. Must be closed or read to its end.
   */
  open(name: string, part?: FilePart): Promise<StoredImage | undefined>;
  /** Removes an image with its thumbnails, or one thumbnail. Succeeds if the file does not exist. */
  remove(name: string): Promise<void>;
  /** Name and age in seconds of every image, unordered, including those with only thumbnails left. */
  list(): AsyncIterable<{ name: string; ageSeconds: number }>;
  /** The owner set by `claim`; undefined if never set. Other methods do not check it. */
  owner(): Promise<string | undefined>;
  /**
   * Sets the owner permanently, unless it is no longer `before`. Of concurrent calls only one succeeds.
   * @returns the current owner
   */
  claim(owner: string, before: string | undefined): Promise<string | undefined>;
  /** Rejects if the store cannot be read and written. */
  check(): Promise<void>;
  /** Whether the store is shared by all servers, so that an outage affects all of them. */
  readonly isRemote: boolean;
  /** Like `broken` of the database: a disk failed, and the state of the files is unknown. */
  readonly broken: Promise<Error>;
}

/** Image files cannot be read or written. Retrying later may succeed. */
export class ImagesUnavailable extends Error {
  override readonly name = 'ImagesUnavailable';
}

/** A byte range, both ends included. */
export interface FilePart {
  readonly first: number;
  readonly last: number;
}

/** An open image file. Its bytes remain readable even if its name is removed. */
export interface StoredImage {
  /** Size of the whole file. */
  readonly sizeBytes: number;
  /** Streams the requested part in small chunks. May be called once; closes the file at the end. */
  read(): AsyncIterable<Uint8Array>;
  /** Closes a file that is not read. */
  close(): Promise<void>;
}

/** A fully decoded image: the name of its file and its stored properties. */
export interface ImageFile {
  /** `<sha256>.<extension of the content>` */
  readonly name: string;
  /** Pixels after EXIF orientation is applied; of the first frame if animated. */
  readonly width: number;
  readonly height: number;
}

export interface DecodedImage extends ImageFile {
  readonly bytes: Uint8Array;
}

/** An uploaded file. */
export interface Upload {
  readonly bytes: Uint8Array;
  /** The client's name for the file. */
  readonly filename: string | undefined;
}

/** Why bytes or a URL are not an acceptable image, in a message for the client. */
export interface ImageRejection {
  /** `file`: not an acceptable image; `download`: could not be downloaded; `too_large`: too many bytes. */
  readonly refused: 'file' | 'download' | 'too_large';
  readonly message: string;
}

/** Decodes images that clients send, outside the process that serves requests. */
export interface ImageDecoder {
  fromBytes(bytes: Uint8Array): Promise<DecodedImage | ImageRejection>;
  /** Downloads from a public http or https URL. */
  fromAddress(address: string): Promise<DecodedImage | ImageRejection>;
  /**
   * Scales a stored image down to a width, in the format of the extension; never enlarges it. Animations become their
   * first frame.
   * @param read is called when decoding starts; returns undefined if there is no image
   * @throws {Overloaded} if the queue is full or the time limit is exceeded
   */
  shrink(
    read: () => Promise<Uint8Array | undefined>,
    to: { readonly width: number; readonly extension: string },
  ): Promise<Uint8Array | undefined>;
  /** Rejects with `ImageDecoderUnavailable` if images cannot be decoded. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Hashes passwords and similar secrets with a slow one-way function. */
export interface Secrets {
  /** Rejects with `Overloaded` if the queue is full. @returns a hash including its salt and parameters */
  hash(secret: string): Promise<string>;
  /** Takes the same time if the hash is undefined. Rejects like `hash`. */
  matches(secret: string, hash: string | undefined): Promise<boolean>;
}

/** The image decoder is not installed. The message explains how to install it. */
export class ImageDecoderUnavailable extends Error {
  override readonly name = 'ImageDecoderUnavailable';
}

/** Sends messages to untrusted URLs from clients. */
export interface Sender {
  /** Posts a body without following redirects. Ends within seconds regardless of the remote side. */
  send(address: string, message: Message, stopped: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Result of one delivery attempt. */
export interface Sent {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** First KB of the response body; without a response, a sentence with the reason. */
  readonly response: string;
  /** The requested delay (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number | undefined;
  readonly durationMs: number;
}

/** No capacity for this work. Retrying later may succeed. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export interface Clock {
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Resolves after this many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}
