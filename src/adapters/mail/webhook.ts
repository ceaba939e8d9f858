/** Posts each mail to a URL of the operator, signed like events of webhooks (mail.md §2). */
import type { Sender } from '../../engine/ports.ts';
import type { MailFailure, MailMessage } from './composed.ts';

interface Options {
  readonly url: string;
  readonly from: string;
  readonly sender: Sender;
  /** Returns the headers of a signed message. */
  readonly sign: (message: {
    readonly id: string;
    readonly timestamp: number;
    readonly body: string;
  }) => Readonly<Record<string, string>>;
}

const MS_PER_SECOND = 1000;

export function createWebhookTransport({ url, from, sender, sign }: Options) {
  return {
    async send(message: MailMessage, stopped: AbortSignal): Promise<MailFailure | undefined> {
      const { messageId: id, date, template, language, to, subject, text, html } = message;
      const data = { message_id: id, template, language, from, to, subject, text, html };
      const timestamp = new Date(date * MS_PER_SECOND).toISOString();
      const body = JSON.stringify({ type: 'mail', timestamp, data });
      const headers = sign({ id, timestamp: Math.floor(Date.now() / MS_PER_SECOND), body });
      const { status } = await sender.send(url, { headers, body }, stopped);
      if (status !== undefined && status >= 200 && status < 300) return undefined;
      return { failure: status === undefined ? 'no response' : `status ${status}` };
    },
    close: () => sender.close(),
  };
}
