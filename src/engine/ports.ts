/**
 * The engine's ports to the world: a database, a store of image files, pictures, a clock, random identifiers. Adapters
 * implement these; the engine never imports one.
 */
import type { RawBuilder } from 'kysely';

/**
 * A value as the engine holds it. Decimals are numbers with at most 14 significant digits (exact as text),
 * timestamps are whole seconds since 1970-01-01T00:00:00Z.
 */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** The narrow waist: every kind of field is kept in one of these, every database names and codes these. */
export type ColumnType = 'text' | 'integer' | 'decimal' | 'boolean' | 'timestamp' | 'json';

/** One row, values by position, as the driver gave them. */
export type Row = readonly unknown[];

/** A place in a statement that is filled in for each run; `list` takes any number of values in one place. */
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

/** Any number of rows in one place of a statement, their values in the order of these types. */
export class RowsParam {
  readonly name: string;
  readonly types: readonly ColumnType[];
  constructor(name: string, types: readonly ColumnType[]) {
    this.name = name;
    this.types = types;
  }
}

/** A statement compiled once: SQL text, and what stands in its places (slots, and constants of the shape). */
export interface Statement {
  readonly sql: string;
  readonly placeholders: readonly unknown[];
}

/** The differences between SQL databases that the engine's own statements need to know. */
export interface Dialect {
  readonly name: string;
  /** Driver value → engine value, for each column type, from a column and from inside JSON alike. */
  readonly decode: Readonly<Record<ColumnType, (raw: never) => Value>>;
  /** A JSON array of expressions, e.g. `json_array(a, b)`. */
  jsonArray(expressions: readonly RawBuilder<unknown>[]): RawBuilder<unknown>;
  /** All rows' values as one JSON array in the given order; never null. */
  jsonAggregate(expression: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A slot as an expression of its type, wherever it stands. */
  placeholder(param: BindParam): RawBuilder<unknown>;
  /** The values of a list slot as a one-column table named `listed` with the column `value`. */
  listed(param: BindParam): RawBuilder<unknown>;
  /** The rows of a slot as a table named `given` with the columns `c0`, `c1`, … and `ordinal`, which counts the rows. */
  given(param: RowsParam): RawBuilder<unknown>;
  /**
   * A query of the records whose texts have all trigrams of one of the lists in this slot of many: JSON, as
   * `["shi","hir","irt"]`. The lists have at least one trigram each.
   */
  havingTrigrams(index: TextIndex, param: BindParam): RawBuilder<unknown>;
  /**
   * A text that is another once another server has taken over with what it had heard until then; else always the same.
   */
  readonly timeline: RawBuilder<unknown>;
  /** Transactions that write run one after the other, so the order of their writes is the order of their commits. */
  readonly writesInTurn: boolean;
  /**
   * A query that gives the next number of a table that holds nothing but a counted column. Where it is raised at the same
   * moment it may give one twice; a unique index decides then, and the loser runs again.
   */
  nextNumber(table: string): RawBuilder<unknown>;
  /** A query after which the next numbers are above the slot's; a lower one changes nothing. One at a time. */
  raiseNumber(table: string, param: BindParam): RawBuilder<unknown>;
  /** A query that gives the last number that a counted table has given, or null. */
  lastNumber(table: string): RawBuilder<unknown>;
  /** A query after which a counted table that was just made, still without rows, goes on above the slot's number. */
  startAfterNumber(table: string, param: BindParam): RawBuilder<unknown>;
  /** Appended to a SELECT to keep its rows from changing until the transaction ends. */
  readonly forUpdate: RawBuilder<unknown>;
  /** As `forUpdate`, and until then no other transaction makes a row that refers to these. */
  readonly forRemoval: RawBuilder<unknown>;
  /** Compiles a query; the places keep the order of the SQL text. */
  compile(query: RawBuilder<unknown>): Statement;
}

export interface Transaction {
  /** Runs one statement and gives its rows. One at a time; one that fails spoils the transaction. */
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /**
   * Keeps every other transaction that locks the same name waiting until this one ends, in all processes of the store.
   * Where only one transaction writes at a time there is nothing to do.
   */
  lock(name: string): Promise<void>;
}

/** The whole store as it was at one committed moment. */
export interface StoreSnapshot {
  /** Names of the migrations applied, in order; none where the database holds no store. */
  readonly migrations: readonly string[];
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
}

/** A store in the making: nobody sees anything of it before it is whole. */
export interface NewStore {
  run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /** Until this is called, last of all statements, a reference may lead nowhere; rejects when one still does. */
  checkReferences(): Promise<void>;
}

/**
 * A database that holds the store.
 *
 * Promises: `query` sees one committed moment; `transaction` is all or nothing, and when it resolves the change is on
 * disk. A conflict with another writer (a lost race for a unique value, a deadlock) runs `work` again, a few times, so
 * `work` must have no effect outside the transaction. A database that cannot answer now raises `DatabaseUnavailable`.
 */
export interface Database {
  readonly dialect: Dialect;
  query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /**
   * As `query`, for a statement that may have to look at every record there is: nobody else waits for it for long, and
   * one that takes too long raises `SearchGivenUp`.
   */
  search(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  /** As `search`, for what nobody waits for: no search waits behind it, and it is given up when the database is closed. */
  scan(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]>;
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * A number that is the same as before only when nothing was committed in between, by anyone; undefined where that
   * cannot be told for less than the price of a query.
   */
  generation(): number | undefined;
  /** The same for the commits of others than this one: the journal tells whatever this one changed. */
  generationOfOthers(): number | undefined;
  /** Brings the schema to `migrations`, under a lock; gives the names applied now. Refuses a schema that is newer. */
  migrate(migrations: readonly Migration[]): Promise<string[]>;
  /** Names of the migrations applied, in order; none where the database holds no store. */
  applied(): Promise<string[]>;
  /**
   * Faults of the database's content, as far as it can tell by itself: a sentence each, a hundred at most. Reads
   * everything once.
   */
  faults(): Promise<string[]>;
  /** Shows `work` one moment for as long as it looks. Writers go on meanwhile; a change of the schema waits or is not seen. */
  storeSnapshot<T>(work: (storeSnapshot: StoreSnapshot) => Promise<T>): Promise<T>;
  /**
   * As `storeSnapshot`, without a look at the schema or for damage: for a request that reads much. It has no limit of time, so its
   * caller sets one.
   */
  snapshot<T>(work: (run: StoreSnapshot['run']) => Promise<T>): Promise<T>;
  /** Has what was deleted or replaced leave the database's files too, as far as that is for this program to do, and now. */
  scrub(): Promise<void>;
  /** Makes a store of this schema where there is none (else raises `StoreExists`) and has it filled, all or nothing. */
  found(migrations: readonly Migration[], fill: (store: NewStore) => Promise<void>): Promise<void>;
  /**
   * Resolves, with the reason, once it is no longer known what is on disk. From then on every transaction raises
   * `DatabaseUnavailable`, and whoever serves the store ends: only a new process finds out what was kept.
   */
  readonly broken: Promise<Error>;
  /** Resolves, with a sentence for the log, when something outside makes the database grow without need. */
  readonly warning: Promise<string>;
  close(): Promise<void>;
}

/** The database cannot answer now; trying again later may help. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** Another transaction held what this one was to lock for longer than one waits. */
export class LockedTooLong extends DatabaseUnavailable {
  override readonly name = 'LockedTooLong';
}

/** The search took too long and was given up. A narrower search, or a later one, may succeed. */
export class SearchGivenUp extends Error {
  override readonly name = 'SearchGivenUp';
}

/** The schema in the database is not one that this program can bring up to date. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/** There is a store in the database already. */
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
  /** One integer column here counts up by itself and never gives a number twice. */
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
 * Finds records by any part of their texts: every record of which one of the texts contains the wanted one, and maybe
 * others. So the texts of those found are still to be compared.
 */
export interface TextIndex {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** The integer column that names the record; several rows of one record have texts each. */
  readonly record: string;
}

/** One change of the schema, or of what its rows hold. A closed set. */
export type SchemaStep = StructureStep | FillColumn | PublishRecords;

/** An adapter says how each is written. */
export type StructureStep =
  | { readonly step: 'create table'; readonly table: Table }
  | { readonly step: 'add column'; readonly table: string; readonly column: Column }
  | { readonly step: 'create index'; readonly index: Index }
  | { readonly step: 'create text index'; readonly index: TextIndex }
  | { readonly step: 'drop table'; readonly table: string }
  | { readonly step: 'drop column'; readonly table: string; readonly column: string }
  | { readonly step: 'drop index'; readonly index: string }
  | { readonly step: 'drop text index'; readonly index: string };

/** Gives a column of every row its value: a form of another column's text, or the moment of the migration. */
export interface FillColumn {
  readonly step: 'fill column';
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly Pick<Column, 'name' | 'type'>[];
  readonly from: 'moment' | { readonly form: TextForm; readonly of: string };
}

/** Tells every living record in the journal, after all that is told there: resource by resource. */
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

/** A form of addresses, and all that holds of the rows whose address has it. */
export interface PathForm {
  /** One more than cells: before the first, between them, behind the last. */
  readonly texts: readonly string[];
  readonly cells: readonly Cell[];
  /** `undefined`: anything but null. */
  readonly when: readonly { readonly cell: Cell; readonly is?: Value | undefined }[];
}

/** A column of a row itself, or of the row of another table whose key is in a cell. */
export interface Cell {
  readonly column: string;
  readonly of?: { readonly table: string; readonly key: string; readonly is: Cell };
}

/** A form of a text that is kept beside it, to sort, search and compare by (`naming.ts`). */
export type TextForm = 'key' | 'match' | 'loose';

export interface Migration {
  /** Sorts after every earlier one, e.g. `0002-gtin`. */
  readonly name: string;
  readonly steps: readonly SchemaStep[];
}

/** The migrations still to be applied, in order; every adapter's `migrate` asks this under its lock. */
export function pendingMigrations(known: readonly Migration[], applied: readonly string[]): Migration[] {
  const knownNames = new Set(known.map((migration) => migration.name));
  const newest = [...knownNames].sort().at(-1) ?? 'none';
  const lastApplied = [...applied].sort().at(-1) ?? '';
  const foreign = applied.find((name) => !knownNames.has(name));
  if (foreign !== undefined) {
    throw new NewerSchema(
      `This store was last opened by a newer Purveyor (migration ${foreign}); this program knows up to ${newest}. ` +
        'Install the newer program, or restore a backup made before the upgrade.',
    );
  }
  const pending = known
    .filter((migration) => !applied.includes(migration.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const late = pending.find((migration) => migration.name < lastApplied);
  if (late !== undefined) {
    throw new NewerSchema(
      `Migration ${late.name} sorts before ${lastApplied}, which this store already has. ` +
        'Give it a name that sorts after every released migration.',
    );
  }
  return pending;
}

/** `<sha256>.<extension>`, and of a thumbnail `.<width>.<extension>` behind it. */
const FILE_NAME = /^([0-9a-f]{64}\.(?:jpg|png|gif|webp|avif))(?:\.[1-9]\d{1,3}\.(?:jpg|png|gif|webp|avif))?$/;

/** The name of the picture that a file is, or is a thumbnail of; undefined for what is no name of an image file. */
export function imageOf(name: string): string | undefined {
  return FILE_NAME.exec(name)?.[1];
}

/**
 * Where image files are kept. A picture's name is `<sha256 of its bytes>.<extension>`, so a name never changes its bytes.
 * A thumbnail's begins with its picture's (`imageOf`); it is made again when it is lost. A store that cannot be read or
 * written now raises `ImagesUnavailable`.
 */
export interface ImageStore {
  /** Resolves when these bytes are on disk under this name for good, whatever was there. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  has(name: string): Promise<boolean>;
  /** In bytes; undefined when there is none of this name. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The whole file, or undefined when there is none of this name. */
  get(name: string): Promise<Uint8Array | undefined>;
  /**
   * The file, or a part of it, to be read as it is needed; undefined when there is none of this name. Close it, or read it
   * to its end.
   */
  open(name: string, part?: FilePart): Promise<StoredImage | undefined>;
  /** Removes a picture and its thumbnails, or a thumbnail alone; a file that is not there is no error. */
  remove(name: string): Promise<void>;
  /** Every picture's name and its age in seconds, in no order; also one of which only thumbnails are left. */
  list(): AsyncIterable<{ name: string; ageSeconds: number }>;
  /** Whose the files are, by the word that `claim` left; undefined before the first. No other method goes by it. */
  owner(): Promise<string | undefined>;
  /**
   * Leaves word, for good, of whose the files are, unless that is another word now than `before`. Of several that do so at
   * the same moment one succeeds.
   * @returns whose they are now
   */
  claim(owner: string, before: string | undefined): Promise<string | undefined>;
  /** Rejects when the store cannot be read and written now. */
  check(): Promise<void>;
  /** It stands apart from all servers: while it is away, no other server can do what this one cannot. */
  readonly isApart: boolean;
  /** As `broken` of the database: a disk has failed, and nobody knows any more what of the files is on it. */
  readonly broken: Promise<Error>;
}

/** The image files cannot be read or written now; trying again later may help. */
export class ImagesUnavailable extends Error {
  override readonly name = 'ImagesUnavailable';
}

/** The bytes from the first to the last, both included. */
export interface FilePart {
  readonly first: number;
  readonly last: number;
}

/** An image file that is open: whatever becomes of its name meanwhile, its bytes stay. */
export interface StoredImage {
  /** Of the whole file. */
  readonly sizeBytes: number;
  /** The part that it was opened for, in small pieces. Once; then the file is closed. */
  read(): AsyncIterable<Uint8Array>;
  /** For who does not read. */
  close(): Promise<void>;
}

/** A picture that was decoded in full, as the name of its file and what a record keeps of it. */
export interface ImageFile {
  /** `<sha256>.<extension of the content>` */
  readonly name: string;
  /** Pixels, EXIF orientation applied; of an animation the first frame's. */
  readonly width: number;
  readonly height: number;
}

export interface DecodedImage extends ImageFile {
  readonly bytes: Uint8Array;
}

/** A file as it came. */
export interface Upload {
  readonly bytes: Uint8Array;
  /** As its sender calls it. */
  readonly filename: string | undefined;
}

/** Why bytes or an address gave no picture, in plain words for the person who sent them. */
export interface ImageRejection {
  /** `file`: the bytes are no acceptable picture; `download`: they could not be fetched; `too_large`: too many bytes. */
  readonly refused: 'file' | 'download' | 'too_large';
  readonly message: string;
}

/** Turns what a client sent into pictures. Decoding happens apart from the process that answers requests. */
export interface ImageDecoder {
  fromBytes(bytes: Uint8Array): Promise<DecodedImage | ImageRejection>;
  /** Downloads from a public http or https address. */
  fromAddress(address: string): Promise<DecodedImage | ImageRejection>;
  /**
   * A picture of the store, made as narrow as this, in the format of this extension; never wider than it is. Of an
   * animation it is the first frame.
   * @param read is called when it is its turn; undefined for no picture
   * @throws {Overloaded} where too many wait, or where it takes too long
   */
  shrink(
    read: () => Promise<Uint8Array | undefined>,
    to: { readonly width: number; readonly extension: string },
  ): Promise<Uint8Array | undefined>;
  /** Rejects with `ImageDecoderUnavailable` where no picture can be decoded, as far as is known. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Hashes secrets that people choose, slowly and one way: whoever has the hashes has no secret by that. */
export interface Secrets {
  /** Rejects with `Overloaded` where too many wait. @returns a hash, with all that a comparison needs beside the secret */
  hash(secret: string): Promise<string>;
  /** Takes as long where there is no hash. Rejects as `hash` does. */
  matches(secret: string, hash: string | undefined): Promise<boolean>;
}

/** The decoder of pictures is not installed. The message says how to install it. */
export class ImageDecoderUnavailable extends Error {
  override readonly name = 'PicturesUnavailable';
}

/** Sends messages to addresses on the web that clients named, and trusts none of them. */
export interface Sender {
  /** Posts a body, and follows no redirect. Whatever the far side does, it ends within seconds. */
  send(address: string, message: Message, stopped: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The outcome of one attempt. */
export interface Sent {
  /** The HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** The first KB of the answer's body; without an answer a sentence that says why. */
  readonly answer: string;
  /** The wait that the answer asks for (RFC 9110 §10.2.3). */
  readonly retryAfterSeconds: number | undefined;
  readonly durationMs: number;
}

/** There is no room for this work now; trying again later may help. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

export interface Clock {
  /** Whole seconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Resolves after so many milliseconds. */
  pause(milliseconds: number): Promise<void>;
}
