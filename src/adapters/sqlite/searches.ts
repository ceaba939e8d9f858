/**
 * Decides where a search runs. Quick ones run on the event loop, where they cost no more than other reads. Others run
 * in a search process (`search-process.ts`), so that they delay nobody and can be canceled. That process starts after
 * the first slow search, which still ran on the event loop. From then on, statements not known to be quick run there.
 */
import type { ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DatabaseUnavailable, type Row, SearchGivenUp, type Statement, type Value } from '../../engine/ports.ts';
import { kill, launch, nextReply, ready } from '../child.ts';
import type { Connection } from './connection.ts';
import { fill } from './encode.ts';
import type { Search, Searched } from './search-process.ts';

/** A search that blocks the event loop for longer is slow. */
const SLOW_MILLISECONDS = 10;

/** Like PostgreSQL's statement_timeout in `adapters/postgres`. */
const SECONDS_MAX = 10;

/**
 * The same statement may search for rare and for frequent texts: after a slow run, this many quick ones in a row are
 * required.
 */
const QUICK_AGAIN_RUNS = 10;

/** Number of statements whose speed is remembered. */
const STATEMENTS_MAX = 1000;

export class Searches {
  readonly #file: string;
  readonly #reader: Connection;
  readonly #secondsMax: number;
  /** By statement: quick if above 0. */
  readonly #quick = new LRUCache<string, number>({ max: STATEMENTS_MAX });
  #hasSlow = false;
  #hasRunThisTurn = false;
  #process: Promise<ChildProcess> | undefined;
  /** Settles when the last search sent to the search process has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(file: string, reader: Connection, secondsMax = SECONDS_MAX) {
    this.#file = file;
    this.#reader = reader;
    this.#secondsMax = secondsMax;
  }

  /** @throws SQLite's error, `SearchGivenUp`, or `DatabaseUnavailable` if the search process fails */
  run({ sql, placeholders }: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    const search: Search = { sql, bound: fill(placeholders, values) };
    return this.#hasSlow && !this.#isQuick(sql) ? this.#runInProcess(search) : this.#runLocally(search);
  }

  /** Runs in the search process once no search is queued. */
  async scan({ sql, placeholders }: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
    return this.#runInProcess({ sql, bound: fill(placeholders, values) });
  }

  /** Ends the search process immediately. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = await this.#process?.catch(() => undefined);
    if (child) await kill(child);
  }

  /** Runs one search per iteration of the event loop, so that other requests get a turn. */
  async #runLocally({ sql, bound }: Search): Promise<Row[]> {
    while (this.#hasRunThisTurn) await nextTurn();
    this.#hasRunThisTurn = true;
    setImmediate(() => {
      this.#hasRunThisTurn = false;
    });
    const startedAt = performance.now();
    const rows = this.#reader.run(sql, bound);
    this.#remember(sql, performance.now() - startedAt);
    return rows;
  }

  /** One at a time: the other processors are for the server and its images. */
  #runInProcess(search: Search): Promise<Row[]> {
    const found = this.#last.then(() => this.#request(search));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #request(search: Search): Promise<Row[]> {
    if (this.#isClosed) throw new DatabaseUnavailable('The store is stopping.');
    const child = await this.#start();
    child.send(search, () => {}); // A failure shows as its exit.
    const reply = await nextReply<Searched>(child, this.#secondsMax);
    if (typeof reply === 'string') {
      await kill(child);
      if (reply === 'too slow') throw new SearchGivenUp(`A search was canceled after ${this.#secondsMax} seconds.`);
      throw new DatabaseUnavailable('The search process has ended.');
    }
    if ('message' in reply) throw Object.assign(new Error(reply.message), { errcode: reply.errcode });
    this.#remember(search.sql, reply.milliseconds);
    return reply.rows;
  }

  #remember(sql: string, milliseconds: number): void {
    if (milliseconds <= SLOW_MILLISECONDS) this.#quick.set(sql, Math.min((this.#quick.get(sql) ?? 0) + 1, 1));
    else {
      this.#quick.set(sql, 1 - QUICK_AGAIN_RUNS);
      this.#hasSlow = true;
    }
  }

  #isQuick(sql: string): boolean {
    return (this.#quick.get(sql) ?? 0) > 0;
  }

  #start(): Promise<ChildProcess> {
    const forget = (): void => {
      this.#process = undefined;
    };
    this.#process ??= startProcess(this.#file, forget).catch((error) => {
      forget();
      throw new DatabaseUnavailable(`The search process cannot be started: ${error.message}`, { cause: error });
    });
    return this.#process;
  }
}

async function startProcess(file: string, onEnd: () => void): Promise<ChildProcess> {
  return ready(launch(new URL(`./search-process${extname(import.meta.url)}`, import.meta.url), [file], [], onEnd));
}
