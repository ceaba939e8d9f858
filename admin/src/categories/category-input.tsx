/** Chooses a category by name; each is shown with its parents. */
import { Autocomplete, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CategoryOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';

export const pathText = ({ path }: CategoryOutput): string => path.map(({ name }) => name).join(' › ');

interface Props {
  /** Message key. */
  readonly label: string;
  readonly value: CategoryOutput | null;
  onChange(category: CategoryOutput | null): void;
  /** Categories that are not offered. */
  readonly excluded?: readonly number[];
}

export function CategoryInput({ label, value, onChange, excluded = [] }: Props) {
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const { data = [] } = useQuery({
    queryKey: ['categories-by-name', typed],
    queryFn: async () => {
      const filter = typed === '' ? { parent: 'all' as const } : { name: typed };
      return (await store.page('/categories', { filter, itemsPerPage: 30 })).data;
    },
    placeholderData: (before) => before,
  });
  return (
    <Autocomplete
      options={data.filter(({ id }) => !excluded.includes(id))}
      getOptionLabel={pathText}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id}
      filterOptions={(options) => options}
      value={value}
      onInputChange={(_event, text, reason) => setTyped(reason === 'input' ? text : '')}
      onChange={(_event, category) => onChange(category)}
      noOptionsText={translate('state.none')}
      renderInput={(input) => <TextField {...input} label={translate(label)} />}
    />
  );
}
