/**
 * One process delivers, however many serve the store. It keeps a note in the store's settings and changes it every few seconds;
 * whoever sees it unchanged for longer takes its place. No clocks are compared: each process counts the time by itself.
 */
import { sql } from 'kysely';
import { BindParam, type Service, type Unit } from '../../engine/index.ts';
import { readSetting, settingsOf } from '../settings.ts';

const SETTING = 'webhook deliverer';

const BEAT_MS = 5_000;

/** So long after its last beat the holder sends nothing more. */
const HELD_MS = 10_000;

/** So long after the holder's last beat another one takes over: an attempt that was begun at the last moment is over then. */
const LOST_MS = 27_000;

export class Lease {
  readonly #service: Service;
  readonly #holder: string;
  /** No other process can serve the store. */
  readonly #isAlone: boolean;
  #value: string | undefined;
  #beatAt = Number.NEGATIVE_INFINITY;
  #other: { readonly value: string; readonly seenAt: number } | undefined;

  constructor(service: Service, isAlone: boolean) {
    this.#service = service;
    this.#holder = service.uuid();
    this.#isAlone = isAlone;
  }

  /** Whether this process may send now. */
  get isHeld(): boolean {
    return this.#isAlone || (this.#value !== undefined && performance.now() - this.#beatAt < HELD_MS);
  }

  /** Takes the lease where nobody has it, and keeps it. Call it at least every few seconds. @returns whether it is held */
  async keep(): Promise<boolean> {
    if (this.#isAlone) return true;
    const begunAt = performance.now();
    if (this.#value !== undefined && begunAt - this.#beatAt < BEAT_MS) return true;
    const found = this.#value ?? (await this.#expired());
    if (found === undefined) return false;
    const value = `${this.#holder} ${this.#service.uuid()}`;
    const isKept = found === '' ? await this.#found(value) : await this.#exchange(found, value);
    this.#value = isKept ? value : undefined;
    this.#beatAt = begunAt;
    return isKept;
  }

  /** Whether the unit's outcome may count: nobody else has the lease. */
  async holdsIn(unit: Unit): Promise<boolean> {
    if (this.#isAlone) return true;
    return (await readSetting(unit, SETTING))?.startsWith(`${this.#holder} `) ?? false;
  }

  /** Leaves it to the next one, which need not wait. */
  async end(): Promise<void> {
    if (this.#value === undefined) return;
    const { database, statements } = this.#service;
    const remove = statements.get(
      'end lease',
      ({ placeholder }) =>
        sql`delete from ${sql.table('setting')} where name = ${placeholder(NAME)} and value = ${placeholder(VALUE)}`,
    );
    const values = { name: SETTING, value: this.#value };
    this.#value = undefined;
    await database.transaction((transaction) => transaction.run(remove, values));
  }

  /** The note of a holder that has not beaten for long, or none; undefined while somebody may hold it. */
  async #expired(): Promise<string | undefined> {
    const value = await readSetting(settingsOf(this.#service), SETTING);
    if (value === undefined) return '';
    if (this.#other?.value !== value) this.#other = { value, seenAt: performance.now() };
    return performance.now() - this.#other.seenAt >= LOST_MS ? value : undefined;
  }

  async #found(value: string): Promise<boolean> {
    const { database, statements } = this.#service;
    const insert = statements.get(
      'begin lease',
      ({
        placeholder,
      }) => sql`insert into ${sql.table('setting')} (name, value) values (${placeholder(NAME)}, ${placeholder(VALUE)})
        on conflict (name) do nothing returning name`,
    );
    const rows = await database.transaction((transaction) => transaction.run(insert, { name: SETTING, value }));
    return rows.length > 0;
  }

  async #exchange(before: string, value: string): Promise<boolean> {
    const { database, statements } = this.#service;
    const update = statements.get(
      'beat of lease',
      ({ placeholder }) => sql`update ${sql.table('setting')} set value = ${placeholder(VALUE)}
        where name = ${placeholder(NAME)} and value = ${placeholder(new BindParam('before', 'text'))} returning name`,
    );
    const values = { name: SETTING, value, before };
    return (await database.transaction((transaction) => transaction.run(update, values))).length > 0;
  }
}

const NAME = new BindParam('name', 'text');
const VALUE = new BindParam('value', 'text');
