/** The attributes of all products or of one product class, with their groups and options. */
import { Box, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { readAll } from '../api/runtime-requests.ts';
import { AttributeList } from '../attributes/attribute-list.tsx';
import { classScope, type GroupedScope, globalScope } from '../attributes/scope.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { SortableTextList } from '../forms/sortable-text-list.tsx';

export default function AttributeSettings() {
  const [search, setSearch] = useSearchParams();
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['classes'],
    queryFn: () => readAll('/product_classes'),
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  const requested = Number(search.get('class'));
  const chosen = data.some(({ id }) => id === requested) ? requested : 0;
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
      <ScopeSettings key={chosen} scope={chosen === 0 ? globalScope() : classScope(chosen)} />
    </Stack>
  );
}

function ScopeSettings({ scope }: { scope: GroupedScope }) {
  const { groupsPath } = scope;
  const translate = useTranslate();
  const queries = useQueryClient();
  const { data: groups = [] } = useQuery({
    queryKey: ['groups', groupsPath, scope.parameters],
    queryFn: () => readAll(groupsPath, scope.parameters),
  });
  return (
    <>
      <Box component="section" aria-label={translate('products.tab.attributes')}>
        <Typography variant="h6" component="h2" gutterBottom>
          {translate('products.tab.attributes')}
        </Typography>
        <AttributeList scope={scope} groups={groups} />
      </Box>
      <Box component="section" aria-label={translate('attributes.groups')}>
        <Typography variant="h6" component="h2">
          {translate('attributes.groups')}
        </Typography>
        <Typography color="textSecondary" gutterBottom>
          {translate('attributes.groupsHelp')}
        </Typography>
        <SortableTextList
          path={groupsPath}
          parameters={scope.parameters}
          field="name"
          newLabel="attributes.newGroup"
          confirmation="attributes.deleteGroup"
          onDone={async () => {
            await queries.invalidateQueries({ queryKey: ['groups', groupsPath] });
            await queries.invalidateQueries({ queryKey: ['declared', scope.name] });
          }}
        />
      </Box>
    </>
  );
}
