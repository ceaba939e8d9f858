/** Values and the types of columns that store them. */

/**
 * A value as the engine represents it. Decimals are numbers with at most 14 significant digits (exact as text);
 * timestamps are whole seconds since 1970-01-01T00:00:00Z.
 */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** All column types. Every kind of field is stored in one of these, and every database maps these. */
export type ColumnType = 'text' | 'integer' | 'decimal' | 'boolean' | 'timestamp' | 'json';
