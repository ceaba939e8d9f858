/** Notes the day on which each of the store's own keys was used last, with one write a day and key and no waiting. */
import { sql } from 'kysely';
import { BindParam, type Service } from '../engine/index.ts';

const SECONDS_PER_DAY = 24 * 3600;

/** After a note that could not be written, the next use tries again, but not sooner. */
const AGAIN_MS = 60_000;

export class KeyUses {
  readonly #service: Service;
  /** By name, as far as this process has noted it. */
  readonly #days = new Map<string, number>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @param name of a key that the store itself has */
  note(name: string): void {
    const now = this.#service.clock.now();
    const day = now - (now % SECONDS_PER_DAY);
    if (this.#days.get(name) === day) return;
    this.#days.set(name, day);
    this.#write(name, day).catch(() => void setTimeout(() => this.#days.delete(name), AGAIN_MS).unref());
  }

  async #write(name: string, day: number): Promise<void> {
    const { database, statements } = this.#service;
    const [named, today] = [new BindParam('name', 'text'), new BindParam('day', 'timestamp')];
    const note = statements.get(
      'note use of key',
      ({ placeholder }) => sql`update ${sql.table('api_key')} set last_used = ${placeholder(today)}
        where name = ${placeholder(named)} and (last_used is null or last_used < ${placeholder(today)}) returning name`,
    );
    await database.transaction((transaction) => transaction.run(note, { name, day }));
  }
}
