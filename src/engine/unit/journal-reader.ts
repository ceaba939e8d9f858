/**
 * Reads what changed from one look to the next, as columns of whatever statement its caller runs. A change counts from its
 * commit on, before it has a position too: the inbox is read with the journal, in one moment.
 */
import { sql } from 'kysely';
import { type Dialect, Slot, type Value } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import type { ChangeKind } from './commits.ts';
import { LAST_POSITION } from './journal.ts';

/** A record that was created, updated or deleted. */
export interface SeenChange {
  readonly resource: string;
  /** Its identifier, as text. */
  readonly record: string;
  readonly kind: ChangeKind;
}

/** The changes from one look to the next. */
export interface SeenChanges {
  /** Undefined: too many to tell, or this is the first look. */
  readonly changes: readonly SeenChange[] | undefined;
  /** More changes wait for their positions than a look reads. */
  readonly isBehind: boolean;
}

/** More changes than this between two looks are not told one by one. */
const CHANGES_MAX = 1000;

const KNOWN_POSITION = new Slot('known_position', 'integer');

type Entry = [resource: string, record: string, kind: ChangeKind, version: number];

export class JournalReader {
  readonly #dialect: Dialect;
  #position: number | undefined;
  /** Changes that were told before they had a position, as JSON. */
  #waiting: ReadonlySet<string> = new Set();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Three columns of a SELECT, for `see`. */
  get columns(): Expression {
    const dialect = this.#dialect;
    const entry = dialect.jsonArray(['resource', 'record', 'kind', 'version'].map((name) => sql.id(name)));
    const some = sql.lit(CHANGES_MAX + 1);
    const [position, id] = [sql.id('position'), sql.id('id')];
    return sql`${LAST_POSITION},
      (select ${dialect.jsonAggregate(entry, position)} from (select * from ${sql.table('change')}
        where ${position} > ${dialect.place(KNOWN_POSITION)} order by ${position} limit ${some}) as ${sql.id('told')}),
      (select ${dialect.jsonAggregate(entry, id)} from (select * from ${sql.table('change_inbox')}
        order by ${id} limit ${some}) as ${sql.id('waiting')})`;
  }

  /** Values of the statement with these columns. */
  get values(): Readonly<Record<string, Value>> {
    // Before the first look nothing is known, and nothing has to be told.
    return { [KNOWN_POSITION.name]: this.#position ?? Number.MAX_SAFE_INTEGER };
  }

  /** Takes what the columns gave. One look at a time. */
  see([last, told, waiting]: readonly unknown[]): SeenChanges {
    const isFirst = this.#position === undefined;
    const placed = this.#entries(told);
    const inbox = this.#entries(waiting);
    this.#position = Number(last);
    const before = this.#waiting;
    this.#waiting = new Set(inbox.map((entry) => JSON.stringify(entry)));
    const isBehind = inbox.length > CHANGES_MAX;
    if (isFirst || isBehind || placed.length > CHANGES_MAX) return { changes: undefined, isBehind };
    const changes = [...placed, ...inbox]
      .filter((entry) => !before.has(JSON.stringify(entry)))
      .map(([resource, record, kind]) => ({ resource, record, kind }));
    return { changes, isBehind };
  }

  #entries(raw: unknown): Entry[] {
    return this.#dialect.decode.json(raw as never) as unknown as Entry[];
  }
}
