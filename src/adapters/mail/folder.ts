/** Writes each mail to a file `<Message-ID>.eml`, for tests and for programs that send mails from a folder. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { composed, type MailFailure, type MailMessage } from './composed.ts';

export function createFolderTransport(folder: string, from: string) {
  return {
    /** A later attempt replaces the file of an earlier one. */
    async send(message: MailMessage): Promise<MailFailure | undefined> {
      const { createTransport } = await import('nodemailer');
      const builder = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
      try {
        const { message: bytes } = await builder.sendMail(composed(from, message));
        await writeAtomically(folder, `${message.messageId}.eml`, bytes as Buffer);
        return undefined;
      } catch (error) {
        return { failure: (error as NodeJS.ErrnoException).code ?? 'unknown' };
      }
    },
    async close(): Promise<void> {},
  };
}

/** Programs that read `*.eml` never see a part of a file. */
async function writeAtomically(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${name}.${process.pid}.tmp`);
  try {
    await writeSynced(temporary, bytes);
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Only the user of the server can read the file, because it contains a link that signs in. */
async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
