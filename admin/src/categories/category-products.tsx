/** The products of a category in their order. Moves are saved immediately. */
import { Card, Pagination, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readPage } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { SortableList } from '../components/sortable-list.tsx';
import { Thumbnail } from '../components/thumbnail.tsx';
import { positionsAfterMove } from '../utils/positions.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { ProductInput } from './product-input.tsx';

const PER_PAGE = 50;

async function readProducts(category_id: number, page: number) {
  const links = await store.page(
    '/categories/{category_id}/products',
    { category_id },
    { page, itemsPerPage: PER_PAGE },
  );
  const ids = links.data.map(({ product_id }) => product_id);
  const filter = { id: ids, fields: 'id,sku,name,images' };
  const products = ids.length === 0 ? [] : (await readPage('/products', {}, { filter, itemsPerPage: PER_PAGE })).data;
  const byId = new Map(products.map((product) => [product.id, product]));
  const items = links.data.map(({ product_id, position }) => ({
    id: product_id,
    position,
    product: byId.get(product_id),
  }));
  return { items, total: links.total };
}

export function CategoryProducts({ id, onDone }: { id: number; onDone(): Promise<void> }) {
  const [page, setPage] = useState(1);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['category-products', id, page],
    queryFn: () => readProducts(id, page),
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  const { items } = data;

  async function move(from: number, to: number): Promise<void> {
    await action.run(async () => {
      for (const { id: product_id, position } of positionsAfterMove(items, from, to))
        await store.patch(
          '/categories/{category_id}/products/{product_id}',
          { category_id: id, product_id },
          { position },
        );
    });
    await refetch();
    await onDone();
  }

  async function change(product_id: number, isAdded: boolean): Promise<void> {
    await action.run(() =>
      isAdded
        ? store.post('/categories/{category_id}/products', { category_id: id }, { product_id })
        : store.delete('/categories/{category_id}/products/{product_id}', { category_id: id, product_id }),
    );
    await refetch();
    await onDone();
  }

  return (
    <Card variant="outlined" component="section" aria-label={translate('categories.products')} sx={{ p: 2 }}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate('categories.products')} ({data.total})
      </Typography>
      <Link to={`/products?filter=${encodeURIComponent(JSON.stringify({ category: id }))}`}>
        {translate('categories.openProducts')}
      </Link>
      {mayWrite && (
        <ProductInput
          excluded={items.map(({ id: number }) => number)}
          onAdd={(product_id) => void change(product_id, true)}
        />
      )}
      {items.length === 0 && <Typography color="textSecondary">{translate('categories.noProducts')}</Typography>}
      <SortableList
        items={items}
        nameOf={({ product, id: number }) => product?.name ?? String(number)}
        onMove={(from, to) => void move(from, to)}
        isFixed={!mayWrite}
      >
        {({ product, id: number }, handle) => (
          <Stack
            direction="row"
            spacing={1}
            sx={{ alignItems: 'center', py: 0.5, borderBottom: 1, borderColor: 'divider' }}
          >
            {handle}
            <Thumbnail image={product?.images[0]} />
            <Link to={`/products/${number}`} sx={{ overflowWrap: 'anywhere' }}>
              {product?.name ?? number}
            </Link>
            <Typography variant="body2" color="textSecondary" sx={{ flex: 1 }}>
              {product?.sku}
            </Typography>
            <DeleteButton
              name={product?.name ?? `${number}`}
              confirmation="categories.removeProduct"
              onConfirmed={() => change(number, false)}
            />
          </Stack>
        )}
      </SortableList>
      {data.total > PER_PAGE && (
        <Pagination
          sx={{ mt: 1 }}
          count={Math.ceil(data.total / PER_PAGE)}
          page={page}
          onChange={(_event, number) => setPage(number)}
        />
      )}
    </Card>
  );
}
