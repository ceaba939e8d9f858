/**
 * A file of an S3 store, or a part of it, as it comes. A connection that is cut in the middle is taken up again where
 * it broke off, a few times.
 */
import { Readable } from 'node:stream';
import type { FilePart, StoredImage } from '../../engine/ports.ts';
import { S3Failure } from './failures.ts';
import { isMissing } from './missing.ts';
import type { Answer, Requests } from './requests.ts';

const CUTS_MAX = 3;
const CHUNK_BYTES = 65_536;

export async function streamOf(requests: Requests, key: string, part?: FilePart): Promise<StoredImage | undefined> {
  const answer = await ask(requests, key, part);
  if (answer === undefined) return undefined;
  const sizeBytes = sizeIn(answer);
  const { first, last } = part ?? { first: 0, last: sizeBytes - 1 };
  // Before anybody reads it, it may break already.
  answer.body.on('error', () => {});
  return {
    sizeBytes,
    read: () => resumed(answer.body, last - first + 1, (done) => ask(requests, key, { first: first + done, last })),
    close: async () => void answer.body.destroy(),
  };
}

function ask(requests: Requests, key: string, part?: FilePart): Promise<Answer | undefined> {
  const headers = part && { range: `bytes=${part.first}-${part.last}` };
  return requests.send(
    { method: 'GET', key, isStream: true, accepts: [404], ...(headers && { headers }) },
    async (answer) => {
      if (await isMissing(requests, answer)) return undefined;
      if (part && !String(answer.headers['content-range']).startsWith(`bytes ${part.first}-`))
        throw new S3Failure('The S3 store gives another part of a file than it was asked for', false);
      return answer;
    },
  );
}

function sizeIn({ headers }: Answer): number {
  const [, whole] = /\/(\d+)$/.exec(String(headers['content-range'] ?? '')) ?? [];
  return Number(whole ?? headers['content-length']);
}

/**
 * @param length more than these bytes, which some stores send, are left unread
 * @param goOn gets the rest behind so many bytes
 */
function resumed(first: Readable, length: number, goOn: (done: number) => Promise<Answer | undefined>): Readable {
  let body = first;
  let chunks = body[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  let done = 0;
  let cuts = 0;
  const stream = new Readable({
    highWaterMark: CHUNK_BYTES,
    read: () => void pull().catch((error) => stream.destroy(error)),
    destroy(error, gone) {
      body.destroy();
      gone(error);
    },
  });
  return stream;

  async function pull(): Promise<void> {
    if (done === length) {
      stream.push(null);
      return;
    }
    while (rest.length === 0) {
      const next = await chunks.next().catch(takeUp);
      if (stream.destroyed) return;
      if (next?.done) await takeUp(new S3Failure('The S3 store ends a file too early', true));
      else if (next) rest = next.value;
    }
    const chunk = rest.subarray(0, Math.min(CHUNK_BYTES, length - done));
    rest = rest.subarray(chunk.length);
    done += chunk.length;
    stream.push(chunk);
  }

  async function takeUp(error: unknown): Promise<undefined> {
    cuts += 1;
    if (stream.destroyed || cuts > CUTS_MAX) throw error;
    const answer = await goOn(done);
    if (answer === undefined) throw error;
    body = answer.body.on('error', () => {});
    if (stream.destroyed) body.destroy();
    chunks = body[Symbol.asyncIterator]();
  }
}
