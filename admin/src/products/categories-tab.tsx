/** The categories of a product. Changes are saved immediately. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { IconButton, List, ListItem, ListItemText, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { CategoryInput, pathText } from '../categories/category-input.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import type { TabProps } from './types.ts';

export function CategoriesTab({ loaded, onChanged }: TabProps) {
  const product_id = loaded.product.id;
  const translate = useTranslate();
  const mayWrite = useMayWrite('categories');
  const action = useAction();
  const linked = useQuery({
    queryKey: ['product-categories', product_id],
    queryFn: async () => (await store.page('/products/{product_id}/categories', { product_id })).data,
  });

  async function change(category_id: number, isLinked: boolean): Promise<void> {
    await action.run(() =>
      isLinked
        ? store.post('/categories/{category_id}/products', { category_id }, { product_id })
        : store.delete('/categories/{category_id}/products/{product_id}', { category_id, product_id }),
    );
    await linked.refetch();
    await onChanged();
  }

  if (linked.error) return <LoadError error={linked.error} onRetry={() => void linked.refetch()} />;
  if (linked.isPending) return <LoadingSkeleton lines={3} />;
  const ids = linked.data.map(({ id }) => id);
  return (
    <Stack spacing={1} sx={{ maxWidth: 640 }}>
      {mayWrite && (
        <CategoryInput
          // Emptied after each choice.
          key={ids.join()}
          label="products.addCategory"
          value={null}
          onChange={(category) => category && void change(category.id, true)}
          excluded={ids}
        />
      )}
      {linked.data.length === 0 && <Typography color="textSecondary">{translate('products.noCategories')}</Typography>}
      <List dense>
        {linked.data.map((category) => (
          <ListItem
            key={category.id}
            divider
            secondaryAction={
              mayWrite && (
                <IconButton
                  edge="end"
                  onClick={() => void change(category.id, false)}
                  aria-label={`${translate('button.remove')}: ${pathText(category)}`}
                >
                  <DeleteIcon />
                </IconButton>
              )
            }
          >
            <ListItemText primary={pathText(category)} />
          </ListItem>
        ))}
      </List>
    </Stack>
  );
}
