/** The attributes of all products and of each product class, with their groups and options. */
import { Box, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProductClassOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { Declarations } from '../attributes/declarations.tsx';
import { ofAll, ofClass, type Scope } from '../attributes/scope.ts';
import { SortedTexts } from '../parts/sorted-texts.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { store } from '../store/client.ts';
import { anyStore, given } from '../store/data-provider.ts';

export function Attributes() {
  const [search, setSearch] = useSearchParams();
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['classes'], queryFn: readClasses });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading />;
  const asked = Number(search.get('class'));
  const chosen = data.some(({ id }) => id === asked) ? asked : 0;
  return (
    <Stack spacing={3} sx={{ maxWidth: 960 }}>
      <Typography color="textSecondary">{translate('attributes.help')}</Typography>
      <TextField
        select
        label={translate('attributes.scope')}
        value={chosen}
        onChange={({ target }) =>
          setSearch(Number(target.value) === 0 ? {} : { class: target.value }, { replace: true })
        }
        helperText={translate('attributes.scopeHelp')}
        sx={{ maxWidth: 420 }}
      >
        <MenuItem value={0}>{translate('attributes.scope.global')}</MenuItem>
        {data.map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {translate('attributes.ofClass', { name })}
          </MenuItem>
        ))}
      </TextField>
      <OfScope key={chosen} scope={chosen === 0 ? ofAll() : ofClass(chosen)} />
    </Stack>
  );
}

async function readClasses(): Promise<ProductClassOutput[]> {
  const found: ProductClassOutput[] = [];
  for await (const one of store.list('/product_classes')) found.push(one);
  return found;
}

function OfScope({ scope }: { scope: Scope }) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const path = `${scope.prefix}/attribute_groups`;
  const { data: groups = [] } = useQuery({
    queryKey: ['groups', path, scope.parameters],
    queryFn: async () => {
      const found: { id: number; name: string }[] = [];
      for await (const one of anyStore().list(path, ...given(path, scope.parameters))) found.push(one);
      return found;
    },
  });
  return (
    <>
      <Box component="section" aria-label={translate('products.tab.attributes')}>
        <Typography variant="h6" component="h2" gutterBottom>
          {translate('products.tab.attributes')}
        </Typography>
        <Declarations scope={scope} groups={groups} />
      </Box>
      <Box component="section" aria-label={translate('attributes.groups')}>
        <Typography variant="h6" component="h2">
          {translate('attributes.groups')}
        </Typography>
        <Typography color="textSecondary" gutterBottom>
          {translate('attributes.groupsHelp')}
        </Typography>
        <SortedTexts
          path={path}
          parameters={scope.parameters}
          field="name"
          labelOfNew="attributes.newGroup"
          question="attributes.deleteGroup"
          onDone={async () => {
            await queries.invalidateQueries({ queryKey: ['groups', path] });
            await queries.invalidateQueries({ queryKey: ['declared', scope.prefix] });
          }}
        />
      </Box>
    </>
  );
}
