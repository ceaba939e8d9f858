/** A local SMTP server that records mails, and helpers to read them. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  readonly to: readonly string[];
  /** Header and body as sent. */
  readonly source: string;
}

export class SmtpReceiver {
  /** Accepted mails. */
  readonly received: ReceivedMail[] = [];
  #failures = 0;
  /** Called after a mail has arrived. If it returns true, the mail is rejected temporarily. */
  rejects: () => boolean = () => {
    this.#failures -= 1;
    return this.#failures >= 0;
  };
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (this.rejects()) return done(Object.assign(new Error('try later'), { responseCode: 451 }));
        const to = envelope.rcptTo.map(({ address }) => address);
        this.received.push({ to, source: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });

  static async open(): Promise<SmtpReceiver> {
    const receiver = new SmtpReceiver();
    receiver.#server.on('error', () => {});
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Rejects this many mails. */
  failNext(count: number): void {
    this.#failures = count;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Returns the first link in a text, or in a mail as it was sent. */
export function linkIn(source: string): string {
  const isEncoded = /^Content-Transfer-Encoding: quoted-printable/im.test(source);
  const text = isEncoded ? source.replace(/=\r?\n/g, '').replaceAll('=3D', '=') : source;
  return /https?:\/\/\S+#token=[\w-]+/.exec(text)![0];
}

/** Returns the Message-ID of a mail without brackets. */
export function messageIdIn(source: string): string {
  return /^Message-ID: <(.+)>\r?$/im.exec(source)![1]!;
}
