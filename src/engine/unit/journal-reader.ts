/**
 * Reads the changes since the last read, as columns of a statement of the caller. A change is visible from its commit,
 * even without a position: the inbox and the journal are read in one snapshot.
 */
import { sql } from 'kysely';
import { BindParam, type Dialect, type Value } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import type { ChangeKind } from './commits.ts';
import { LAST_POSITION } from './journal.ts';

/** A record that was created, updated or deleted. */
export interface SeenChange {
  readonly resource: string;
  /** The identifier, as text. */
  readonly record: string;
  readonly kind: ChangeKind;
}

/** Maximum number of changes between two reads that are returned individually. */
const CHANGES_MAX = 1000;

const KNOWN_POSITION = new BindParam('known_position', 'integer');

type Entry = [resource: string, record: string, kind: ChangeKind, version: number];

export class JournalReader {
  readonly #dialect: Dialect;
  #position: number | undefined;
  /** Changes already returned from the inbox: their number by entry as JSON. */
  #waiting: ReadonlyMap<string, number> = new Map();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Three columns of a SELECT, whose values `see` takes. */
  get columns(): Expression {
    const dialect = this.#dialect;
    const entry = dialect.jsonArray(['resource', 'record', 'kind', 'version'].map((name) => sql.id(name)));
    const some = sql.lit(CHANGES_MAX + 1);
    const [position, id] = [sql.id('position'), sql.id('id')];
    return sql`${LAST_POSITION},
      (select ${dialect.jsonAggregate(entry, position)} from (select * from ${sql.table('change')}
        where ${position} > ${dialect.placeholder(KNOWN_POSITION)} order by ${position} limit ${some}) as ${sql.id('ordered')}),
      (select ${dialect.jsonAggregate(entry, id)} from (select * from ${sql.table('change_inbox')}
        order by ${id} limit ${some}) as ${sql.id('waiting')})`;
  }

  /** Bind values of the columns. */
  get values(): Readonly<Record<string, Value>> {
    // The first read returns no changes.
    return { [KNOWN_POSITION.name]: this.#position ?? Number.MAX_SAFE_INTEGER };
  }

  /**
   * Processes the values of the columns. If reads overlap, a change may be returned twice, but none is missed.
   * @returns the changes since the last read; undefined if they are too many, or cannot be determined
   */
  see([last, ordered, waiting]: readonly unknown[]): readonly SeenChange[] | undefined {
    const known = this.#position;
    const placed = this.#entries(ordered);
    const inbox = this.#entries(waiting);
    this.#position = Number(last);
    // Changes returned from the inbox before; each is now in the journal or still in the inbox.
    const before = new Map(this.#waiting);
    this.#waiting = counted(inbox);
    // A lower position belongs to an older snapshot, or to a standby that took over without the latest changes.
    const isOtherTimeline = known === undefined || this.#position < known;
    if (isOtherTimeline || inbox.length > CHANGES_MAX || placed.length > CHANGES_MAX) return undefined;
    const isNew = (entry: Entry): boolean => {
      const key = JSON.stringify(entry);
      const alike = before.get(key) ?? 0;
      before.set(key, alike - 1);
      return alike < 1;
    };
    return [...placed, ...inbox].filter(isNew).map(([resource, record, kind]) => ({ resource, record, kind }));
  }

  #entries(raw: unknown): Entry[] {
    return this.#dialect.decode.json(raw as never) as unknown as Entry[];
  }
}

function counted(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const key = JSON.stringify(entry);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
