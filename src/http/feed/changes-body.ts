/**
 * The body of a page of the feed. A page with large records is a stream, which reads more records only after the client has
 * read the previous ones.
 */
import type { WithSlot } from '../../engine/index.ts';
import { BackpressuredStream, joined } from '../responses/backpressured-stream.ts';
import { PART_LENGTH_MAX, type ShownEntry } from './changes-entries.ts';

type Parts = AsyncGenerator<readonly ShownEntry[], undefined>;

/** The beginning of a body that is too large to be built in memory. */
export interface LargeBody {
  /** Entries that have been read but not sent. */
  readonly texts: string[];
  readonly rest: Parts;
}

/** Reads parts until the body is complete or larger than one part may be. */
export async function readBody(parts: Parts): Promise<string | LargeBody> {
  const texts: string[] = [];
  for (let length = 0; length < PART_LENGTH_MAX; ) {
    const { value: part } = await parts.next();
    if (part === undefined) return `[${texts.join()}]`;
    for (const { json } of part) {
      texts.push(json);
      length += json.length;
    }
  }
  return { texts, rest: parts };
}

/** @param withSlot runs the read of a part */
export function streamBody(body: LargeBody, withSlot: WithSlot): BackpressuredStream {
  const stream = new BackpressuredStream();
  giveAll(stream, body, withSlot).then(
    () => stream.finish(),
    // The response has begun, so it is aborted.
    (error) => stream.destroy(error),
  );
  return stream;
}

async function giveAll(stream: BackpressuredStream, { texts, rest }: LargeBody, withSlot: WithSlot): Promise<void> {
  let mark = '[';
  const marked = (json: string): string => {
    const text = mark + json;
    mark = ',';
    return text;
  };
  while (texts.length > 0) {
    // Sent entries are removed, so that they need no memory.
    for (const text of joined(texts.splice(0).values().map(marked))) {
      await stream.give(text);
      if (stream.destroyed) return;
    }
    const { value: part = [] } = await withSlot(() => rest.next());
    for (const { json } of part) texts.push(json);
  }
  await stream.give(']');
}
