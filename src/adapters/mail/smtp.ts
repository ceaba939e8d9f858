/** Sends mails to an SMTP server (RFC 5321), each over a connection of its own. */
import { composed, type MailFailure, type MailMessage } from './composed.ts';

/** Limits of single steps. The caller limits the whole attempt. */
const TIMEOUTS_MS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** @param url such as `smtps://user:password@mail.example.com` */
export function createSmtpTransport(url: string, from: string) {
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url, ...TIMEOUTS_MS });
  };
  let transport: ReturnType<typeof connect> | undefined;
  return {
    async send(message: MailMessage, stopped: AbortSignal): Promise<MailFailure | undefined> {
      transport ??= connect();
      try {
        await (await transport).sendMail({ ...composed(from, message), signal: stopped });
        return undefined;
      } catch (error) {
        return { failure: reasonOf(error) };
      }
    },
    async close(): Promise<void> {
      (await transport)?.close();
    },
  };
}

/** Messages of the server can repeat the recipient, so only codes are shown. */
function reasonOf(error: unknown): string {
  const { code, responseCode, name } = error as { code?: string; responseCode?: number; name?: string };
  return responseCode === undefined ? (code ?? name ?? 'unknown') : `${responseCode} (${code ?? 'SMTP'})`;
}
