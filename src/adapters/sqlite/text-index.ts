/**
 * Substring index: a table of trigrams (FTS5, https://sqlite.org/fts5.html) with a document for each record, which
 * contains all of the record's texts in the indexed columns, in every language. Triggers update it whoever changes a
 * text.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TextIndex } from '../../engine/ports.ts';

type Expression = RawBuilder<unknown>;

/** Also indexes existing texts. The index stores neither the texts nor the positions of trigrams. */
export function createTextIndex(index: TextIndex): Expression[] {
  const { name, table, columns, record } = index;
  const watched = [record, ...columns].map((column) => sql.id(column));
  const differs = watched.map((column) => sql`new.${column} is not old.${column}`);
  return [
    sql`create virtual table ${sql.id(name)} using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1')`,
    takeIn(index, sql`true`),
    // Otherwise the next changes would merge what the initial fill has left.
    sql`insert into ${sql.id(name)} (${sql.id(name)}) values ('optimize')`,
    trigger(index, 'insert', sql`after insert on ${sql.id(table)}`, sql`new.${sql.id(record)}`),
    trigger(index, 'delete', sql`after delete on ${sql.id(table)}`, sql`old.${sql.id(record)}`),
    trigger(
      index,
      'update',
      sql`after update of ${sql.join(watched)} on ${sql.id(table)} when ${sql.join(differs, sql` or `)}`,
      sql`old.${sql.id(record)}, new.${sql.id(record)}`,
    ),
  ];
}

export function dropTextIndex(name: string): Expression[] {
  const triggers = EVENTS.map((event) => sql`drop trigger ${sql.id(triggerName(name, event))}`);
  return [...triggers, sql`drop table ${sql.id(name)}`];
}

const EVENTS = ['insert', 'delete', 'update'] as const;
type Event = (typeof EVENTS)[number];

const triggerName = (index: string, event: Event): string => `${index}_on_${event}`;

function trigger(index: TextIndex, event: Event, when: Expression, records: Expression): Expression {
  const { name, record } = index;
  return sql`create trigger ${sql.id(triggerName(name, event))} ${when} begin
      delete from ${sql.id(name)} where rowid in (${records});
      ${takeIn(index, sql`${sql.id(record)} in (${records})`)};
    end`;
}

function takeIn({ name, table, columns, record }: TextIndex, which: Expression): Expression {
  const texts = sql.join(
    columns.map((column) => sql`coalesce(${sql.id(column)}, '')`),
    sql` || ' ' || `,
  );
  const hasText = sql.join(
    columns.map((column) => sql`${sql.id(column)} <> ''`),
    sql` or `,
  );
  return sql`insert into ${sql.id(name)} (rowid, texts)
      select ${sql.id(record)}, group_concat(${texts}, ' ') from ${sql.id(table)}
      where ${which} and (${hasText}) group by ${sql.id(record)}`;
}
