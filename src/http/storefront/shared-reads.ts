/** What the responses of a storefront view share: identifiers of visible records, and lists by price. */
import type { SharedReads } from '../../shop/storefront/read.ts';
import { routeAt, type ShopView } from '../../shop/storefront/view.ts';
import type { CacheTag } from '../cache/cache-validator.ts';
import { ValuedLists } from '../cache/valued-lists.ts';
import type { ReadCaches } from '../resources/reads.ts';
import type { HttpOptions } from '../server/context.ts';

/** @param tag matches the changes that affect responses of the view */
export function sharedReads(
  view: ShopView,
  options: HttpOptions,
  { storefront }: Pick<ReadCaches, 'storefront'>,
  tag: CacheTag,
): SharedReads {
  const { ids, wholeListReads } = storefront;
  const lists = new ValuedLists(routeAt(options.service, view), options, storefront);
  return {
    async ids(readIds) {
      const known = ids.get(view.path);
      if (known) return known;
      const after = options.cacheValidator.lastCheck;
      const found = await readIds();
      ids.set(view.path, found, { all: [tag] }, after);
      return found;
    },
    valuedPage: (...of) => lists.page(...of),
    inTurn: (read) => wholeListReads.run(read),
  };
}
