/**
 * Reads what changed from one look to the next, as columns of whatever statement its caller runs. A change counts from its
 * commit on, before it has a position too: the inbox is read with the journal, in one moment.
 */
import { sql } from 'kysely';
import { BindParam, type Dialect, type Value } from '../ports.ts';
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

/** More changes than this between two looks are not told one by one. */
const CHANGES_MAX = 1000;

const KNOWN_POSITION = new BindParam('known_position', 'integer');

type Entry = [resource: string, record: string, kind: ChangeKind, version: number];

export class JournalReader {
  readonly #dialect: Dialect;
  #position: number | undefined;
  /** Changes that were told before they had a position, as JSON, and how many are alike. */
  #waiting: ReadonlyMap<string, number> = new Map();

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
        where ${position} > ${dialect.placeholder(KNOWN_POSITION)} order by ${position} limit ${some}) as ${sql.id('told')}),
      (select ${dialect.jsonAggregate(entry, id)} from (select * from ${sql.table('change_inbox')}
        order by ${id} limit ${some}) as ${sql.id('waiting')})`;
  }

  /** Values of the statement with these columns. */
  get values(): Readonly<Record<string, Value>> {
    // Before the first look nothing is known, and nothing has to be told.
    return { [KNOWN_POSITION.name]: this.#position ?? Number.MAX_SAFE_INTEGER };
  }

  /**
   * Takes what the columns gave. Where looks overlap, some changes may be told twice, and none is left out.
   * @returns the changes since the look before; undefined where these are too many to tell, or cannot be known
   */
  see([last, told, waiting]: readonly unknown[]): readonly SeenChange[] | undefined {
    const known = this.#position;
    const placed = this.#entries(told);
    const inbox = this.#entries(waiting);
    this.#position = Number(last);
    // Each of these is placed by now, or waits still, and was told.
    const before = new Map(this.#waiting);
    this.#waiting = counted(inbox);
    // A position that is lower is that of an older moment, or of a standby that took over and had not heard of everything.
    const isAnother = known === undefined || this.#position < known;
    if (isAnother || inbox.length > CHANGES_MAX || placed.length > CHANGES_MAX) return undefined;
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
