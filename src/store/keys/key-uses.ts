/** Records the day of each stored key's last use, with one write per day and key and without delaying requests. */
import { sql } from 'kysely';
import { BindParam, type Service } from '../../engine/index.ts';

const SECONDS_PER_DAY = 24 * 3600;

/** Delay before a failed write is retried with the key's next use. */
const RETRY_MS = 60_000;

export class KeyUses {
  readonly #service: Service;
  /** Last day recorded by this process, by name. */
  readonly #days = new Map<string, number>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @param name of a key of the store */
  record(name: string): void {
    const now = this.#service.clock.now();
    const day = now - (now % SECONDS_PER_DAY);
    if (this.#days.get(name) === day) return;
    this.#days.set(name, day);
    this.#write(name, day).catch(() => void setTimeout(() => this.#days.delete(name), RETRY_MS).unref());
  }

  async #write(name: string, day: number): Promise<void> {
    const { database, statements } = this.#service;
    const [named, today] = [new BindParam('name', 'text'), new BindParam('day', 'timestamp')];
    const update = statements.get(
      'note use of key',
      ({ placeholder }) => sql`update ${sql.table('api_key')} set last_used = ${placeholder(today)}
        where name = ${placeholder(named)} and (last_used is null or last_used < ${placeholder(today)}) returning name`,
    );
    await database.transaction((transaction) => transaction.run(update, { name, day }));
  }
}
