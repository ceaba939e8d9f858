/** A sorted list of products that belong to something: related products, or featured ones. Changes are saved immediately. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Box, IconButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProductOutput } from 'purveyor/client';
import type { ReactNode } from 'react';
import { Link, useTranslate } from 'react-admin';
import { readPage } from '../api/runtime-requests.ts';
import { ProductInput } from '../categories/product-input.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { SortableList } from '../components/sortable-list.tsx';
import { Thumbnail } from '../components/thumbnail.tsx';
import { positionAtEnd, positionsAfterMove } from '../utils/positions.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';

/** An entry of the list. The id is what its path has. */
interface ProductLink {
  readonly id: number;
  readonly product_id: number;
  readonly position: number;
}

interface Props {
  /** Message keys. */
  readonly title: string;
  readonly help: string;
  readonly addLabel: string;
  readonly emptyMessage: string;
  readonly queryKey: readonly unknown[];
  /** Reads the entries in their order. */
  read(): Promise<readonly ProductLink[]>;
  add(product_id: number, position: number): Promise<unknown>;
  setPosition(id: number, position: number): Promise<unknown>;
  remove(id: number): Promise<unknown>;
  /** Called after each change. */
  onChanged?(): Promise<void>;
  /** Products that cannot be added, besides those of the list. */
  readonly excluded?: readonly number[];
}

const IDS_PER_REQUEST = 100;

/** Returns each of the products that still exists. */
export async function readProducts(ids: readonly number[]): Promise<ReadonlyMap<number, ProductOutput>> {
  const found = new Map<number, ProductOutput>();
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
    const filter = { id: ids.slice(start, start + IDS_PER_REQUEST), fields: 'id,sku,name,images' };
    const { data } = await readPage('/products', {}, { filter, itemsPerPage: IDS_PER_REQUEST });
    for (const product of data) found.set(product.id, product);
  }
  return found;
}

export function ProductLinks(props: Props) {
  const { title, help, addLabel, emptyMessage, queryKey, read, onChanged, excluded = [] } = props;
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['product-links', ...queryKey],
    async queryFn() {
      const links = await read();
      const products = await readProducts(links.map(({ product_id }) => product_id));
      return links.map((link) => ({ ...link, product: products.get(link.product_id) }));
    },
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;

  async function change(send: () => Promise<unknown>): Promise<void> {
    await action.run(send);
    await refetch();
    await onChanged?.();
  }

  async function move(from: number, to: number): Promise<void> {
    for (const { id, position } of positionsAfterMove(data!, from, to)) await props.setPosition(id, position);
  }

  return (
    <Section title={title}>
      <Typography color="textSecondary">{translate(help)}</Typography>
      {mayWrite && (
        // Enter without a chosen product would submit the form around the list.
        <Box sx={{ maxWidth: 640 }} onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
          <ProductInput
            label={addLabel}
            excluded={[...excluded, ...data.map(({ product_id }) => product_id)]}
            onAdd={(product_id) => void change(() => props.add(product_id, positionAtEnd(data)))}
          />
        </Box>
      )}
      {data.length === 0 && <Typography color="textSecondary">{translate(emptyMessage)}</Typography>}
      <SortableList
        items={data}
        nameOf={({ product, product_id }) => product?.name ?? `${product_id}`}
        onMove={(from, to) => void change(() => move(from, to))}
        isFixed={!mayWrite}
      >
        {({ id, product_id, product }, handle) => (
          <ProductRow
            product_id={product_id}
            product={product}
            handle={handle}
            onRemove={() => void change(() => props.remove(id))}
          />
        )}
      </SortableList>
    </Section>
  );
}

interface RowProps {
  readonly product_id: number;
  readonly product: ProductOutput | undefined;
  readonly handle: ReactNode;
  onRemove(): void;
}

function ProductRow({ product_id, product, handle, onRemove }: RowProps) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const name = product?.name ?? `${product_id}`;
  return (
    <Stack direction="row" spacing={1} sx={{ alignItems: 'center', py: 0.5, borderBottom: 1, borderColor: 'divider' }}>
      {handle}
      <Thumbnail image={product?.images[0]} />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Link to={`/products/${product_id}`}>{name}</Link>
        <Typography variant="body2" color="textSecondary">
          {product?.sku}
        </Typography>
      </Box>
      {mayWrite && (
        <IconButton size="small" onClick={onRemove} aria-label={`${translate('button.remove')}: ${name}`}>
          <DeleteIcon fontSize="small" />
        </IconButton>
      )}
    </Stack>
  );
}
