/** Writes mails to the outbox, in the transaction of their cause (mail.md §1). The delivery loop sends them. */
import { sql } from 'kysely';
import {
  BindParam,
  type ColumnType,
  type Service,
  TEXT_FORMS,
  type Transaction,
  type Value,
} from '../../engine/index.ts';
import type { TemplateName } from './templates/built-in.ts';

export interface NewMail {
  readonly template: TemplateName;
  readonly to: string;
  /** Id of the customer whose data it is. */
  readonly profile?: number;
  /** What its content depends on, without tokens: each attempt creates its own. */
  readonly data: { readonly [name: string]: Value };
}

/** Attempts are made for this long. */
export const MAIL_SECONDS = 72 * 3600;

export const param = (name: string, type: ColumnType): BindParam => new BindParam(name, type);

export async function queueMail(
  { statements, clock, uuid }: Service,
  transaction: Transaction,
  { template, to, profile, data }: NewMail,
): Promise<void> {
  const insert = statements.get('queue mail', ({ placeholder }) => {
    const values = [
      ...[param('template', 'text'), param('to', 'text'), param('to_key', 'text'), param('date', 'timestamp')],
      ...[param('profile_id', 'integer'), param('data', 'json'), param('message_id', 'text')],
      ...[param('next_attempt', 'timestamp'), param('give_up', 'timestamp')],
    ];
    return sql`insert into ${sql.table('mail')} (${sql.join(values.map(({ name }) => sql.id(name)))})
      values (${sql.join(values.map((value) => placeholder(value)))}) returning 1`;
  });
  const now = clock.now();
  await transaction.run(insert, {
    ...{ template, to, to_key: TEXT_FORMS.key(to), data, message_id: uuid() },
    profile_id: profile ?? null,
    ...{ date: now, next_attempt: now, give_up: now + MAIL_SECONDS },
  });
}
