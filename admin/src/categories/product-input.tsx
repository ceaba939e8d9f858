/** Adds products to a list of products: searches by name or SKU. */
import { Autocomplete, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { readPage } from '../api/runtime-requests.ts';

interface Props {
  /** Message key. */
  readonly label?: string;
  /** Products that are not offered. */
  readonly excluded: readonly number[];
  onAdd(id: number): void;
}

const FOUND_MAX = 20;

export function ProductInput({ label = 'orders.addProduct', excluded, onAdd }: Props) {
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const { data = [] } = useQuery({
    queryKey: ['products-for-category', typed.trim()],
    queryFn: async () => {
      const words = typed.trim();
      const filter = { fields: 'id,name,sku', ...(words === '' ? {} : { search: words }) };
      return (await readPage('/products', {}, { filter, itemsPerPage: FOUND_MAX })).data;
    },
    placeholderData: (before) => before,
  });
  return (
    <Autocomplete
      options={data.filter(({ id }) => !excluded.includes(id))}
      value={null}
      inputValue={typed}
      getOptionLabel={({ name, sku }) => `${name} · ${sku}`}
      getOptionKey={({ id }) => id}
      filterOptions={(options) => options}
      onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
      onChange={(_event, product) => product && onAdd(product.id)}
      noOptionsText={translate('list.noMatch')}
      renderInput={(input) => <TextField {...input} label={translate(label)} />}
    />
  );
}
