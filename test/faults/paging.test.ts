/**
 * Reading a whole collection while others insert and delete (reliability, row D13): by windows of ids nothing that is there
 * all the time is missed or shown twice; by page numbers it is, as the contract has it.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachDatabase } from '../support/store.ts';

const WINDOW = 100;

onEachDatabase('a collection that is read while others write', {}, (store) => {
  const kept = new Set<number>();
  const passing: number[] = [];
  let made = 0;
  const make = async (): Promise<number> => {
    made += 1;
    return (await store.made('/api/tags', { name: `Tag ${made}` })).id;
  };
  const remove = async (id: number): Promise<void> => assert.equal((await store.delete(`/api/tags/${id}`)).status, 204);
  before(async () => {
    for (let count = 0; count < 350; count += 1) {
      const id = await make();
      if (count % 7 === 0) passing.push(id);
      else kept.add(id);
    }
  });

  /** Two go and two come, the last of them while the page is read. */
  const readWhileWritten = async (query: string): Promise<number[]> => {
    await remove(passing.shift()!);
    passing.push(await make());
    const [answer] = await Promise.all([
      store.get(`/api/tags?${query}&itemsPerPage=${WINDOW}`),
      remove(passing.shift()!),
      make().then((id) => passing.push(id)),
    ]);
    return answer.json.map(({ id }: { id: number }) => id);
  };

  test('by windows of ids is read exactly', async () => {
    const [{ id: last }] = (await store.get('/api/tags?order[id]=desc&itemsPerPage=1')).json;
    const seen: number[] = [];
    for (let first = 1; first <= last; first += WINDOW) {
      const ids = Array.from({ length: WINDOW }, (_, index) => `id[]=${first + index}`);
      seen.push(...(await readWhileWritten(ids.join('&'))));
    }
    assert.equal(new Set(seen).size, seen.length, 'nothing is shown twice');
    assert.deepEqual([...kept.difference(new Set(seen))], [], 'nothing that stays is missed');
  });

  test('by page numbers misses what deletions move to a page before', async () => {
    const seen: number[] = [];
    for (let page = 1; ; page += 1) {
      const ids = await readWhileWritten(`order[id]=asc&page=${page}`);
      if (ids.length === 0) break;
      seen.push(...ids);
    }
    assert.notDeepEqual([...kept.difference(new Set(seen))], []);
  });
});
