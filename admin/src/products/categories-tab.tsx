/** The categories of a product. Changes are saved immediately. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Autocomplete, IconButton, List, ListItem, ListItemText, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CategoryOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may-write.ts';
import type { TabProps } from './types.ts';

const pathText = ({ path }: CategoryOutput): string => path.map(({ name }) => name).join(' › ');

export function CategoriesTab({ loaded, onChanged }: TabProps) {
  const product_id = loaded.product.id;
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const linked = useQuery({
    queryKey: ['product-categories', product_id],
    queryFn: async () => (await store.page('/products/{product_id}/categories', { product_id })).data,
  });
  const found = useQuery({
    queryKey: ['categories-by-name', typed],
    queryFn: async () => {
      const filter = typed === '' ? { parent: 'all' as const } : { name: typed };
      return (await store.page('/categories', { filter, itemsPerPage: 30 })).data;
    },
    placeholderData: (before) => before,
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
        <Autocomplete
          options={(found.data ?? []).filter(({ id }) => !ids.includes(id))}
          getOptionLabel={pathText}
          getOptionKey={({ id }) => id}
          filterOptions={(options) => options}
          value={null}
          inputValue={typed}
          onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
          onChange={(_event, category) => category && void change(category.id, true)}
          noOptionsText={translate('state.none')}
          blurOnSelect
          renderInput={(input) => <TextField {...input} label={translate('products.addCategory')} />}
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
