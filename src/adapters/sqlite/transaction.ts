/** A transaction as its work sees it: runs statements until it ends or one of them fails. */
import type { Row, Statement, Transaction, Value } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';
import { unavailableOr } from './errors.ts';

export class SqliteTransaction implements Transaction {
  readonly #writer: Connection;
  readonly group: object;
  /** SQLite's error of the first failed statement. */
  failure: unknown;
  #ended = false;

  constructor(writer: Connection, group: object) {
    this.#writer = writer;
    this.group = group;
  }

  async run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    if (this.#ended) throw new Error('A statement was run in a transaction that has ended.');
    // SQLite may have rolled back already, so a further statement would be committed on its own.
    if (this.failure !== undefined) throw unavailableOr(this.failure);
    try {
      return this.#writer.all(statement, values);
    } catch (error) {
      this.failure ??= error;
      throw unavailableOr(error);
    }
  }

  async lock(): Promise<void> {}

  end(): void {
    this.#ended = true;
  }

  /** A failed statement fails its transaction, even if `work` ignored the error, as on every other database. */
  throwIfFailed(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}
