/**
 * Lease for webhook delivery: one process delivers, however many serve the store. The holder changes a setting of the
 * store every few seconds; a process that sees it unchanged for longer takes over. No clocks are compared: each process
 * measures the time itself.
 */
import { sql } from 'kysely';
import { BindParam, type Service, type Unit } from '../../engine/index.ts';
import { readSetting, settingsOf } from '../settings.ts';

const SETTING = 'webhook deliverer';

const RENEW_INTERVAL_MS = 5_000;

/** The holder stops sending this long after its last renewal. */
const HELD_AFTER_RENEWAL_MS = 10_000;

/**
 * Another process takes over this long after the last renewal, when an attempt started at the last moment has ended.
 */
const TAKEOVER_AFTER_MS = 27_000;

export class Lease {
  readonly #service: Service;
  readonly #holder: string;
  /** Whether no other process can serve the store. */
  readonly #isOnlyProcess: boolean;
  #value: string | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #observed: { readonly value: string; readonly seenAt: number } | undefined;

  constructor(service: Service, isOnlyProcess: boolean) {
    this.#service = service;
    this.#holder = service.uuid();
    this.#isOnlyProcess = isOnlyProcess;
  }

  /** Whether this process may send now. */
  get isHeld(): boolean {
    return (
      this.#isOnlyProcess || (this.#value !== undefined && performance.now() - this.#renewedAt < HELD_AFTER_RENEWAL_MS)
    );
  }

  /**
   * Acquires the lease if it is free, or renews it. Must be called at least every few seconds.
   * @returns whether it is held
   */
  async renew(): Promise<boolean> {
    if (this.#isOnlyProcess) return true;
    const startedAt = performance.now();
    if (this.#value !== undefined && startedAt - this.#renewedAt < RENEW_INTERVAL_MS) return true;
    const found = this.#value ?? (await this.#readExpired());
    if (found === undefined) return false;
    const value = `${this.#holder} ${this.#service.uuid()}`;
    const isHeld = found === '' ? await this.#insert(value) : await this.#replace(found, value);
    this.#value = isHeld ? value : undefined;
    this.#renewedAt = startedAt;
    return isHeld;
  }

  /** Whether this process holds the lease within the unit, so that the unit may commit. */
  async holdsIn(unit: Unit): Promise<boolean> {
    if (this.#isOnlyProcess) return true;
    return (await readSetting(unit, SETTING))?.startsWith(`${this.#holder} `) ?? false;
  }

  /** Releases the lease, so that another process can acquire it immediately. */
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

  /** Returns the value of an expired lease, or an empty string if there is none; undefined if it may be held. */
  async #readExpired(): Promise<string | undefined> {
    const value = await readSetting(settingsOf(this.#service), SETTING);
    if (value === undefined) return '';
    if (this.#observed?.value !== value) this.#observed = { value, seenAt: performance.now() };
    return performance.now() - this.#observed.seenAt >= TAKEOVER_AFTER_MS ? value : undefined;
  }

  async #insert(value: string): Promise<boolean> {
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

  async #replace(before: string, value: string): Promise<boolean> {
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
