/** One transaction as its work sees it: its statements, until it ends or one of them fails. */
import type { Row, Statement, Transaction, Value } from '../../engine/ports.ts';
import type { Connection } from './connection.ts';
import { unavailableOr } from './errors.ts';

export class SqliteTransaction implements Transaction {
  readonly #writer: Connection;
  /** Of the first statement that failed, as SQLite raised it. */
  failure: unknown;
  #ended = false;

  constructor(writer: Connection) {
    this.#writer = writer;
  }

  async run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    if (this.#ended) throw new Error('A statement was run in a transaction that has ended.');
    // SQLite may have rolled back already, and whatever came now would be kept for itself.
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

  /** A statement that failed spoils its transaction, even when `work` went on: so it is on every database. */
  refuseSpoilt(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}
