/**
 * Streams an S3 object or a part of it. After a broken connection, the stream resumes where it stopped, a few times.
 */
import { Readable } from 'node:stream';
import type { FilePart, StoredImage } from '../../engine/ports.ts';
import { S3Failure } from './failures.ts';
import { isMissing } from './missing.ts';
import type { Requests, S3Response } from './requests.ts';

const CUTS_MAX = 3;
const CHUNK_BYTES = 65_536;

export async function streamOf(requests: Requests, key: string, part?: FilePart): Promise<StoredImage | undefined> {
  const response = await request(requests, key, part);
  if (response === undefined) return undefined;
  const sizeBytes = sizeIn(response);
  const { first, last } = part ?? { first: 0, last: sizeBytes - 1 };
  // The body may fail before anyone reads it.
  response.body.on('error', () => {});
  return {
    sizeBytes,
    read: () =>
      resumable(response.body, last - first + 1, (done) => request(requests, key, { first: first + done, last })),
    close: async () => void response.body.destroy(),
  };
}

function request(requests: Requests, key: string, part?: FilePart): Promise<S3Response | undefined> {
  const headers = part && { range: `bytes=${part.first}-${part.last}` };
  return requests.send(
    { method: 'GET', key, isStream: true, accepts: [404], ...(headers && { headers }) },
    async (response) => {
      if (await isMissing(requests, response)) return undefined;
      if (part && !String(response.headers['content-range']).startsWith(`bytes ${part.first}-`))
        throw new S3Failure('The S3 store returned a different range than requested', false);
      return response;
    },
  );
}

function sizeIn({ headers }: S3Response): number {
  const [, whole] = /\/(\d+)$/.exec(String(headers['content-range'] ?? '')) ?? [];
  return Number(whole ?? headers['content-length']);
}

/**
 * @param length further bytes, which some stores send, are not read
 * @param requestRest requests the rest after so many bytes
 */
function resumable(
  first: Readable,
  length: number,
  requestRest: (done: number) => Promise<S3Response | undefined>,
): Readable {
  let body = first;
  let chunks = body[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  let done = 0;
  let cuts = 0;
  const stream = new Readable({
    highWaterMark: CHUNK_BYTES,
    read: () => void pull().catch((error) => stream.destroy(error)),
    destroy(error, callback) {
      body.destroy();
      callback(error);
    },
  });
  return stream;

  async function pull(): Promise<void> {
    if (done === length) {
      stream.push(null);
      return;
    }
    while (rest.length === 0) {
      const next = await chunks.next().catch(resume);
      if (stream.destroyed) return;
      if (next?.done) await resume(new S3Failure('The S3 store ended a file too early', true));
      else if (next) rest = next.value;
    }
    const chunk = rest.subarray(0, Math.min(CHUNK_BYTES, length - done));
    rest = rest.subarray(chunk.length);
    done += chunk.length;
    stream.push(chunk);
  }

  async function resume(error: unknown): Promise<undefined> {
    cuts += 1;
    if (stream.destroyed || cuts > CUTS_MAX) throw error;
    const response = await requestRest(done);
    if (response === undefined) throw error;
    body = response.body.on('error', () => {});
    if (stream.destroyed) body.destroy();
    chunks = body[Symbol.asyncIterator]();
  }
}
