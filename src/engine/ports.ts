/**
 * The engine's ports: the interfaces that adapters implement, and their errors. The engine never imports an adapter.
 * Other files import this one, not those in `ports/`.
 */

/** Reads, transactions, snapshots. */
export * from './ports/database.ts';
/** Statements, and the differences between SQL databases. */
export * from './ports/dialect.ts';
/** Image store and image decoder. */
export * from './ports/images.ts';
/** Tables, indexes, migrations. */
export * from './ports/schema.ts';
/** Clock, hashes of secrets, messages to URLs. */
export * from './ports/services.ts';
/** Values and column types. */
export * from './ports/values.ts';
