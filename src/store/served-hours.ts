/**
 * How long the store has been served, counted in hours of its processes and not by a clock that somebody may have set. The store
 * keeps the moment of each of the last hours, as the clock told it then. So a start whose clock is days ahead can tell what
 * is old from what the clock only calls old.
 */
import type { Service } from '../engine/index.ts';
import { readSetting, replaceSetting } from './settings.ts';

const SETTING = 'served hours';

/** One more than hours, as they lie between marks. */
const MARKS = 25;

export class ServedHours {
  readonly #service: Service;
  /** The marks at the last call; undefined before the first. */
  #seen: string | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * To be called at the start and then every hour. An hour counts where no other process has counted one since the call before;
   * a process that ends within its first hour counts none.
   * @returns what was before this moment, in seconds since 1970, has been there for a day of serving; undefined: nothing has
   */
  async dayAgo(): Promise<number | undefined> {
    const { database, statements, clock } = this.#service;
    const value = await database.transaction(async (transaction) => {
      await transaction.lock(SETTING);
      const asking = {
        query: (key: string, build: Parameters<typeof statements.get>[1], values = {}) =>
          transaction.run(statements.get(key, build), values),
      };
      const stored = (await readSetting(asking, SETTING)) ?? '';
      if (this.#seen !== stored) return stored;
      const marks = [...stored.split(' ').filter(Boolean), String(clock.now())].slice(-MARKS).join(' ');
      await replaceSetting(asking, SETTING, marks);
      return marks;
    });
    this.#seen = value;
    const marks = value.split(' ').filter(Boolean);
    return marks.length < MARKS ? undefined : Number(marks[0]);
  }
}
