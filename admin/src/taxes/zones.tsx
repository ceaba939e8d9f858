/** Zones: sets of addresses that taxes and discounts are restricted to. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Box, Button, IconButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { ResponsiveTable } from '../components/responsive-table.tsx';
import { useRemoval } from '../components/use-removal.tsx';
import { useMayWrite } from '../utils/use-may.tsx';
import { readZones, ZONES_KEY } from './records.ts';
import { ZoneDialog } from './zone-dialog.tsx';
import { useZoneText } from './zone-text.ts';

export default function Zones() {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const textOf = useZoneText();
  const [search, setSearch] = useSearchParams();
  const { data, error, isPending, refetch } = useQuery({ queryKey: ZONES_KEY, queryFn: readZones });
  const { remove, rejection } = useRemoval();
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  const edited = search.get('zone');
  const open = (zone: number | 'new'): void => setSearch({ zone: `${zone}` });
  return (
    <Stack spacing={2}>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate('zones.help')}
      </Typography>
      {mayWrite && (
        <Box>
          <Button variant="contained" onClick={() => open('new')}>
            {translate('zones.new')}
          </Button>
        </Box>
      )}
      {rejection}
      {data.length === 0 ? (
        <Typography color="textSecondary">{translate('zones.none')}</Typography>
      ) : (
        <ResponsiveTable
          label={translate('taxes.tab.zones')}
          columns={[
            { label: translate('field.name'), cell: ({ name }) => name },
            { label: translate('zones.contains'), cell: ({ elements }) => textOf(elements) },
            ...(mayWrite
              ? [
                  {
                    label: translate('list.actions'),
                    isRight: true,
                    cell: ({ id, name }: (typeof data)[number]) => (
                      <>
                        <IconButton
                          size="small"
                          onClick={() => open(id)}
                          aria-label={`${translate('button.edit')}: ${name}`}
                        >
                          <EditIcon fontSize="small" />
                        </IconButton>
                        <DeleteButton
                          name={name}
                          confirmation="zones.delete"
                          onConfirmed={async () => {
                            await remove(name, () => store.delete('/zones/{id}', { id }));
                            await refetch();
                          }}
                        />
                      </>
                    ),
                  },
                ]
              : []),
          ]}
          rows={data}
          keyOf={({ id }) => id}
        />
      )}
      {edited !== null && mayWrite && (
        <ZoneDialog
          key={edited}
          {...(edited === 'new' ? {} : { id: Number(edited) })}
          onClose={() => setSearch({})}
          onDone={refetch}
        />
      )}
    </Stack>
  );
}
