/** Composes mails with nodemailer, which is loaded for the first one (RFC 5322, MIME). */
import type { SendMailOptions } from 'nodemailer';

/** As the store describes mails. */
export interface MailMessage {
  readonly messageId: string;
  readonly template: string;
  readonly language: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: number;
}

export interface MailFailure {
  readonly failure: string;
}

const MS_PER_SECOND = 1000;

/** @param from the sender, such as `Shop <shop@example.com>` */
export function composed(from: string, { messageId, to, subject, text, html, language, date }: MailMessage) {
  return {
    ...{ from, to: { name: '', address: to }, subject, text, html },
    messageId: `<${messageId}>`,
    date: new Date(date * MS_PER_SECOND),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    // Nothing of a mail is read from files or other servers.
    disableFileAccess: true,
    disableUrlAccess: true,
  } satisfies SendMailOptions;
}
