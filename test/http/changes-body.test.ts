/** The body of a page of the change feed with large records: a part is read only after the client has read the previous ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LargeBody, readBody, streamBody } from '../../src/http/feed/changes-body.ts';

const LENGTH = 700_000;
const PARTS = 10;

/** Counts the parts that were read. */
class Source {
  read = 0;
  readonly #failAt: number;

  constructor(failAt = Number.POSITIVE_INFINITY) {
    this.#failAt = failAt;
  }

  async *parts(length = LENGTH, count = PARTS) {
    for (let number = 0; number < count; number += 1) {
      if (number === this.#failAt) throw new Error('The database is unavailable.');
      this.read += 1;
      yield [{ cursor: { epoch: '', position: number, mark: 0 }, json: JSON.stringify('x'.repeat(length)) }];
    }
    return undefined;
  }
}

const withSlot = <T>(work: () => Promise<T>): Promise<T> => work();

async function begin(source: Source): Promise<LargeBody> {
  const body = await readBody(source.parts());
  assert.ok(typeof body !== 'string');
  return body;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

describe('the body of a page of changes', () => {
  test('is one text if its entries are small', async () => {
    assert.equal(await readBody(new Source().parts(1, 3)), '["x","x","x"]');
    assert.equal(await readBody(new Source().parts(1, 0)), '[]');
  });

  test('is read in parts, each only after the client has read the previous ones', async () => {
    const source = new Source();
    const stream = streamBody(await begin(source), withSlot);
    await turns(20);
    assert.equal(source.read, 2);
    let text = '';
    for await (const chunk of stream) {
      text += chunk;
      // One part is in the stream, and one waits for space in it.
      const received = Math.floor(text.length / LENGTH);
      assert.ok(source.read <= received + 3, `${source.read} parts were read, ${received} received`);
    }
    assert.deepEqual(
      JSON.parse(text).map((each: string) => each.length),
      Array.from({ length: PARTS }, () => LENGTH),
    );
  });

  test('reads no further part after the client has disconnected', async () => {
    const source = new Source();
    const stream = streamBody(await begin(source), withSlot);
    await turns(20);
    stream.destroy();
    await turns(20);
    assert.equal(source.read, 2);
  });

  test('is aborted if a part cannot be read', async () => {
    const stream = streamBody(await begin(new Source(5)), withSlot);
    await assert.rejects(stream.toArray(), /The database is unavailable/);
  });
});
