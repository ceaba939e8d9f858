/**
 * Where a search runs: here, when it is quick, so that it costs no more than another read; else in a process beside
 * (`search-process.ts`), so that others do not wait for it and it can be given up. That process is started for the first
 * slow search, which still ran here; from then on whatever is not known to be quick is tried there.
 */
import type { ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DatabaseUnavailable, type Row, SearchGivenUp, type Statement, type Value } from '../../engine/ports.ts';
import { kill, launch, nextAnswer, ready } from '../child.ts';
import type { Connection } from './connection.ts';
import { fill } from './encode.ts';
import type { Search, Searched } from './search-process.ts';

/** A search that holds up the event loop for longer is slow. */
const SLOW_MILLISECONDS = 10;

/** As PostgreSQL's statement_timeout in `adapters/postgres`. */
const SECONDS_MAX = 10;

/** One statement looks for what is rare and for what is everywhere: after a slow run it must be quick so often in a row. */
const QUICK_AGAIN_RUNS = 10;

/** Statements of which it is remembered whether they are quick. */
const REMEMBERED_MAX = 1000;

export class Searches {
  readonly #file: string;
  readonly #reader: Connection;
  readonly #secondsMax: number;
  /** By statement, above 0: it is quick. */
  readonly #quick = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  #hasSlow = false;
  #isTurnTaken = false;
  #process: Promise<ChildProcess> | undefined;
  /** Settles when the last search asked for beside has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(file: string, reader: Connection, secondsMax = SECONDS_MAX) {
    this.#file = file;
    this.#reader = reader;
    this.#secondsMax = secondsMax;
  }

  /** @throws what SQLite raises, `SearchGivenUp`, or `DatabaseUnavailable` when the process beside fails */
  run({ sql, placeholders }: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    const search: Search = { sql, bound: fill(placeholders, values) };
    return this.#hasSlow && !this.#isQuick(sql) ? this.#beside(search) : this.#here(search);
  }

  /** Beside, once no search waits. */
  async scan({ sql, placeholders }: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
    return this.#beside({ sql, bound: fill(placeholders, values) });
  }

  /** Ends the process beside at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = await this.#process?.catch(() => undefined);
    if (child) await kill(child);
  }

  /** One in each turn of the event loop: whoever wants little gets in between. */
  async #here({ sql, bound }: Search): Promise<Row[]> {
    while (this.#isTurnTaken) await nextTurn();
    this.#isTurnTaken = true;
    setImmediate(() => {
      this.#isTurnTaken = false;
    });
    const startedAt = performance.now();
    const rows = this.#reader.run(sql, bound);
    this.#remember(sql, performance.now() - startedAt);
    return rows;
  }

  /** One at a time: the other processors are for the server and its pictures. */
  #beside(search: Search): Promise<Row[]> {
    const found = this.#last.then(() => this.#askBeside(search));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #askBeside(search: Search): Promise<Row[]> {
    if (this.#isClosed) throw new DatabaseUnavailable('The store is stopping.');
    const child = await this.#start();
    child.send(search, () => {}); // A failure shows as its exit.
    const answer = await nextAnswer<Searched>(child, this.#secondsMax);
    if (typeof answer === 'string') {
      await kill(child);
      if (answer === 'too slow') throw new SearchGivenUp(`A search was given up after ${this.#secondsMax} seconds.`);
      throw new DatabaseUnavailable('The process that searches has ended.');
    }
    if ('message' in answer) throw Object.assign(new Error(answer.message), { errcode: answer.errcode });
    this.#remember(search.sql, answer.milliseconds);
    return answer.rows;
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
      throw new DatabaseUnavailable(`The process that searches cannot be started: ${error.message}`, { cause: error });
    });
    return this.#process;
  }
}

async function startProcess(file: string, onEnd: () => void): Promise<ChildProcess> {
  return ready(launch(new URL(`./search-process${extname(import.meta.url)}`, import.meta.url), [file], [], onEnd));
}
