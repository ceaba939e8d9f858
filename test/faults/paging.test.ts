/**
 * Reading a complete collection during inserts and deletions (reliability, row D13). By windows of ids, each record that exists
 * all the time is returned exactly once. By page numbers some are missed, as the contract says.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onEachDatabase } from '../support/store.ts';

const WINDOW = 100;

onEachDatabase('paging during writes', {}, (store) => {
  const permanent = new Set<number>();
  const temporary: number[] = [];
  let made = 0;
  const make = async (): Promise<number> => {
    made += 1;
    return (await store.made('/api/tags', { name: `Tag ${made}` })).id;
  };
  const remove = async (id: number): Promise<void> => assert.equal((await store.delete(`/api/tags/${id}`)).status, 204);
  before(async () => {
    for (let count = 0; count < 350; count += 1) {
      const id = await make();
      if (count % 7 === 0) temporary.push(id);
      else permanent.add(id);
    }
  });

  /** Deletes two records and creates two, one of each while the page is read. */
  const readWhileWritten = async (query: string): Promise<number[]> => {
    await remove(temporary.shift()!);
    temporary.push(await make());
    const [response] = await Promise.all([
      store.get(`/api/tags?${query}&itemsPerPage=${WINDOW}`),
      remove(temporary.shift()!),
      make().then((id) => temporary.push(id)),
    ]);
    return response.json.map(({ id }: { id: number }) => id);
  };

  test('reading by windows of ids returns each permanent record exactly once', async () => {
    const [{ id: last }] = (await store.get('/api/tags?order[id]=desc&itemsPerPage=1')).json;
    const seen: number[] = [];
    for (let first = 1; first <= last; first += WINDOW) {
      const ids = Array.from({ length: WINDOW }, (_, index) => `id[]=${first + index}`);
      seen.push(...(await readWhileWritten(ids.join('&'))));
    }
    assert.equal(new Set(seen).size, seen.length, 'no record is returned twice');
    assert.deepEqual([...permanent.difference(new Set(seen))], [], 'no permanent record is missed');
  });

  test('reading by page numbers misses records that deletions move to an earlier page', async () => {
    const seen: number[] = [];
    for (let page = 1; ; page += 1) {
      const ids = await readWhileWritten(`order[id]=asc&page=${page}`);
      if (ids.length === 0) break;
      seen.push(...ids);
    }
    assert.notDeepEqual([...permanent.difference(new Set(seen))], []);
  });
});
