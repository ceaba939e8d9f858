/** The products of a category in their order: dragged, or moved a step at a time. Done at once. */
import { Card, Pagination, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProductOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { positionsAfterMove } from '../parts/positions.ts';
import { SortableList } from '../parts/sortable.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { Thumbnail } from '../parts/thumbnail.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import { anyStore } from '../store/data-provider.ts';

const PER_PAGE = 50;

async function readPage(category_id: number, page: number) {
  const links = await store.page(
    '/categories/{category_id}/products',
    { category_id },
    { page, itemsPerPage: PER_PAGE },
  );
  const ids = links.data.map(({ product_id }) => product_id);
  const filter = { id: ids, fields: 'id,sku,name,images' };
  const products: ProductOutput[] =
    ids.length === 0 ? [] : (await anyStore().page('/products', { filter, itemsPerPage: PER_PAGE })).data;
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
  const act = useAct();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['category-products', id, page],
    queryFn: () => readPage(id, page),
  });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading />;
  const { items } = data;

  async function move(from: number, to: number): Promise<void> {
    await act.run(async () => {
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

  return (
    <Card variant="outlined" component="section" aria-label={translate('categories.products')} sx={{ p: 2 }}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate('categories.products')} ({data.total})
      </Typography>
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
            <Typography variant="body2" color="textSecondary">
              {product?.sku}
            </Typography>
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
