/** The tax rates, in the order in which they are tried. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Box, Button, Chip, IconButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { TaxRateOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMay, useMayWrite } from '../utils/use-may.tsx';
import { FirstSetup } from './first-setup.tsx';
import { RateDialog } from './rate-dialog.tsx';
import { isInUse, useRateText } from './rate-text.ts';
import {
  MEMBERSHIPS_KEY,
  RATES_KEY,
  readMemberships,
  readRates,
  readTaxClasses,
  readZones,
  TAX_CLASSES_KEY,
  ZONES_KEY,
} from './records.ts';

export default function Rates() {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const [search, setSearch] = useSearchParams();
  const { data, error, isPending, refetch } = useQuery({ queryKey: RATES_KEY, queryFn: readRates });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  const edited = search.get('rate');
  const open = (rate: number | 'new'): void => setSearch({ rate: `${rate}` });
  return (
    <Stack spacing={2}>
      {data.length === 0 ? (
        <NoRates onDone={refetch} onNew={() => open('new')} />
      ) : (
        <>
          <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
            {translate('taxes.help')}
          </Typography>
          {mayWrite && (
            <Box>
              <Button variant="contained" onClick={() => open('new')}>
                {translate('taxes.new')}
              </Button>
            </Box>
          )}
          <RateTable rates={data} onEdit={open} onDone={refetch} />
        </>
      )}
      {edited !== null && mayWrite && (
        <RateDialog
          key={edited}
          {...(edited === 'new' ? {} : { id: Number(edited) })}
          rates={data}
          onClose={() => setSearch({})}
          onDone={refetch}
        />
      )}
    </Stack>
  );
}

/** A store without rates: the set-up, for keys that may do all of it. */
function NoRates({ onDone, onNew }: { onDone(): Promise<unknown>; onNew(): void }) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const maySetUp = [useMay('zones:write'), useMay('tax_settings:write'), mayWrite].every(Boolean);
  return (
    <>
      <Typography color="textSecondary">{translate('taxes.none')}</Typography>
      {maySetUp && <FirstSetup onDone={onDone} />}
      {mayWrite && (
        <Box>
          <Button size="small" onClick={onNew}>
            {translate('taxes.setup.byHand')}
          </Button>
        </Box>
      )}
    </>
  );
}

interface TableProps {
  readonly rates: readonly TaxRateOutput[];
  onEdit(id: number): void;
  onDone(): Promise<unknown>;
}

function RateTable({ rates, onEdit, onDone }: TableProps) {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const text = useRateText();
  const appliesTo = useAppliesTo();

  async function remove(id: number): Promise<void> {
    await action.run(() => store.delete('/tax_rates/{id}', { id }));
    await onDone();
  }

  const columns: readonly Column<TaxRateOutput>[] = [
    {
      label: translate('field.name'),
      cell: ({ name, tax, position }) => (
        <>
          {name}
          <Typography variant="body2" color="textSecondary">
            {translate('taxes.codeAndPosition', { code: tax, position })}
          </Typography>
        </>
      ),
    },
    { label: translate('taxes.rate'), isRight: true, cell: text.value },
    { label: translate('taxes.appliesTo'), cell: appliesTo },
    { label: translate('taxes.base'), cell: ({ base }) => translate(`taxes.base.${base}`) },
    {
      label: translate('field.status'),
      cell: (rate) => (
        <Chip
          size="small"
          variant="outlined"
          color={isInUse(rate) ? 'success' : 'default'}
          label={text.status(rate)}
          sx={{ height: 'auto', '& .MuiChip-label': { whiteSpace: 'normal' } }}
        />
      ),
    },
    ...(mayWrite
      ? [
          {
            label: translate('list.actions'),
            isRight: true,
            cell: ({ id, name }: TaxRateOutput) => (
              <>
                <IconButton size="small" onClick={() => onEdit(id)} aria-label={`${translate('button.edit')}: ${name}`}>
                  <EditIcon fontSize="small" />
                </IconButton>
                <DeleteButton name={name} confirmation="taxes.delete" onConfirmed={() => remove(id)} />
              </>
            ),
          },
        ]
      : []),
  ];
  return <ResponsiveTable label={translate('taxes.tab.rates')} columns={columns} rows={rates} keyOf={({ id }) => id} />;
}

/** Returns a function that names the buyers and products that pay a rate. */
function useAppliesTo(): (rate: TaxRateOutput) => string {
  const translate = useTranslate();
  const zones = useQuery({ queryKey: ZONES_KEY, queryFn: readZones, enabled: useMay('zones:read') }).data;
  const classes = useQuery({
    queryKey: TAX_CLASSES_KEY,
    queryFn: readTaxClasses,
    enabled: useMay('tax_classes:read'),
  }).data;
  const memberships = useQuery({
    queryKey: MEMBERSHIPS_KEY,
    queryFn: readMemberships,
    enabled: useMay('memberships:read'),
  }).data;
  type Named = readonly { readonly id: number; readonly name: string }[] | undefined;
  const nameIn = (records: Named, id: number) => records?.find((one) => one.id === id)?.name ?? `${id}`;
  return ({ zone, tax_class, membership }) =>
    [
      zone === null ? translate('taxes.everyZone') : nameIn(zones, zone),
      ...(tax_class === null ? [] : [translate('taxes.ofClass', { name: nameIn(classes, tax_class) })]),
      ...(membership === null ? [] : [translate('taxes.ofMembers', { name: nameIn(memberships, membership) })]),
    ].join(' · ');
}
