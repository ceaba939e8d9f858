/**
 * Compares the calculation of carts with quotes of the same orders, in random shops that change between the carts
 * (storefront.md §5). Prints how many carts had each problem.
 */
import { CartShop } from '../test/support/cart-shop.ts';
import type { DatabaseName } from '../test/support/databases.ts';
import { RandomCarts } from '../test/support/random-carts.ts';
import type { Run } from './report.ts';

/** Carts in one shop. Each shop has its own seed, which repeats only its carts. */
const CARTS_PER_SHOP = 100;

export async function carts(
  run: Run,
  { carts: wanted, database }: { readonly carts: number; readonly database: DatabaseName },
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let done = 0, seed = run.seed; done < wanted; seed += 1) {
    const shop = await CartShop.make(database);
    const random = await RandomCarts.make(shop, seed);
    for (const end = Math.min(wanted, done + CARTS_PER_SHOP); done < end; done += 1) {
      const { problems } = await random.compare();
      const names = problems.map(({ code, data }) => (data?.reason ? `${code}: ${data.reason}` : code));
      for (const name of names.length === 0 ? ['no problem'] : new Set(names))
        counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    await shop.remove();
    run.say(`${done} carts equal their quotes; the last shop has the seed ${seed}`);
  }
  for (const [name, times] of [...counts].sort()) run.say(`${String(times).padStart(9)}  ${name}`);
  return counts;
}
