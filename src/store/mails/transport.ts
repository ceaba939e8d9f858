/** What the delivery needs of a way to send mails. The adapters implement it. */

/** A mail with its content, for one attempt. */
export interface MailMessage {
  /** Without angle brackets, and equal for all attempts. */
  readonly messageId: string;
  readonly template: string;
  readonly language: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Seconds since 1970 at which the mail was queued. */
  readonly date: number;
}

/** The mail was not accepted. */
interface MailFailure {
  /** For the log, without the recipient and the content. */
  readonly failure: string;
}

export interface MailTransport {
  /** The domain of the sender, for Message-IDs. */
  readonly domain: string;
  /** Ends soon after `stopped` is aborted. @returns undefined once the mail is accepted */
  send(message: MailMessage, stopped: AbortSignal): Promise<MailFailure | undefined>;
  close(): Promise<void>;
}
