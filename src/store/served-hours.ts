/**
 * Measures how long the store has been served, in hours of process time rather than by the system clock, which may be
 * set wrong. The store records the clock's time for each of the last hours. A start whose clock is days ahead can
 * therefore distinguish data that is old from data that only seems old.
 */
import type { Service } from '../engine/index.ts';
import { readSetting, replaceSetting } from './settings.ts';

const SETTING = 'served hours';

/** One more than the number of hours between them. */
const MARKS = 25;

export class ServedHours {
  readonly #service: Service;
  /** Marks at the last call; undefined before the first. */
  #seen: string | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * Must be called at the start and then every hour. An hour counts unless another process has counted one since the
   * previous call. A process that ends within its first hour counts none.
   * @returns time before which data has existed for a day of serving, in seconds since 1970; undefined: no data has
   */
  async dayAgo(): Promise<number | undefined> {
    const { database, statements, clock } = this.#service;
    const value = await database.transaction(async (transaction) => {
      await transaction.lock(SETTING);
      const reads = {
        query: (key: string, build: Parameters<typeof statements.get>[1], values = {}) =>
          transaction.run(statements.get(key, build), values),
      };
      const stored = (await readSetting(reads, SETTING)) ?? '';
      if (this.#seen !== stored) return stored;
      const marks = [...stored.split(' ').filter(Boolean), String(clock.now())].slice(-MARKS).join(' ');
      await replaceSetting(reads, SETTING, marks);
      return marks;
    });
    this.#seen = value;
    const marks = value.split(' ').filter(Boolean);
    return marks.length < MARKS ? undefined : Number(marks[0]);
  }
}
