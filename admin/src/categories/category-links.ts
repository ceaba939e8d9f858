/** The products of a category. */
import { StoreProblem } from 'purveyor/client';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';

/** Adds products to a category or removes them. @returns those that were changed. @throws {StoreProblem} if the store rejects one */
export async function setCategory(
  category_id: number,
  product_ids: readonly number[],
  isAdded: boolean,
): Promise<number[]> {
  const linked = new Set(
    (await readAll('/categories/{category_id}/products', { category_id })).map(({ product_id }) => product_id),
  );
  const changed = product_ids.filter((id) => linked.has(id) !== isAdded);
  for (const product_id of changed)
    if (isAdded) await store.post('/categories/{category_id}/products', { category_id }, { product_id });
    else
      await store
        .delete('/categories/{category_id}/products/{product_id}', { category_id, product_id })
        .catch((error: unknown) => {
          // Someone else has removed it.
          if (!(error instanceof StoreProblem) || error.status !== 404) throw error;
        });
  return changed;
}
