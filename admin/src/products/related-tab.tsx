/** The products that the shop shows next to a product. */
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { ProductLinks } from './product-links.tsx';
import type { TabProps } from './types.ts';

const PATH = '/products/{product_id}/related_products';
const ONE = '/products/{product_id}/related_products/{id}';

export function RelatedTab({ loaded, onChanged }: TabProps) {
  const product_id = loaded.product.id;
  return (
    <ProductLinks
      title="related.title"
      help="related.help"
      addLabel="related.add"
      emptyMessage="related.none"
      queryKey={['related', product_id]}
      excluded={[product_id]}
      read={() => readAll(PATH, { product_id })}
      add={(related, position) => store.post(PATH, { product_id }, { product_id: related, position })}
      setPosition={(id, position) => store.patch(ONE, { product_id, id }, { position })}
      remove={(id) => store.delete(ONE, { product_id, id })}
      // The list is part of the product: each change of it is a new version.
      onChanged={onChanged}
    />
  );
}
