/** The products that the shop features on the page of a category, or on its front page. */
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { ProductLinks } from '../products/product-links.tsx';

const OF_CATEGORY = '/categories/{category_id}/featured';
const ONE_OF_CATEGORY = '/categories/{category_id}/featured/{product_id}';
const OF_FRONT_PAGE = '/front_page/featured';
const ONE_OF_FRONT_PAGE = '/front_page/featured/{product_id}';

/** The paths name an entry by its product. */
const withId = <T extends { readonly product_id: number }>(entry: T) => ({ ...entry, id: entry.product_id });

const TEXTS = { title: 'featured.title', addLabel: 'featured.add', emptyMessage: 'featured.none' };

/** @param onChanged called after each change, which is a new version of the category */
export function FeaturedOfCategory({ category_id, onChanged }: { category_id: number; onChanged(): Promise<void> }) {
  return (
    <ProductLinks
      {...TEXTS}
      help="featured.categoryHelp"
      queryKey={['featured', category_id]}
      read={async () => (await readAll(OF_CATEGORY, { category_id })).map(withId)}
      add={(product_id, position) => store.post(OF_CATEGORY, { category_id }, { product_id, position })}
      setPosition={(product_id, position) => store.patch(ONE_OF_CATEGORY, { category_id, product_id }, { position })}
      remove={(product_id) => store.delete(ONE_OF_CATEGORY, { category_id, product_id })}
      onChanged={onChanged}
    />
  );
}

export function FeaturedOfFrontPage() {
  return (
    <ProductLinks
      {...TEXTS}
      help="featured.frontPageHelp"
      queryKey={['featured', 'front page']}
      read={async () => (await readAll(OF_FRONT_PAGE)).map(withId)}
      add={(product_id, position) => store.post(OF_FRONT_PAGE, { product_id, position })}
      setPosition={(product_id, position) => store.patch(ONE_OF_FRONT_PAGE, { product_id }, { position })}
      remove={(product_id) => store.delete(ONE_OF_FRONT_PAGE, { product_id })}
    />
  );
}
