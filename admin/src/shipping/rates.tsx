/** The rates of a shipping method: a table for each zone. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Alert, Box, Button, IconButton, Stack, Typography } from '@mui/material';
import type { ShippingRateOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useZoneText } from '../taxes/zone-text.ts';
import { useAction } from '../utils/use-action.ts';
import { useMay, useMayWrite } from '../utils/use-may.tsx';
import { useRangeTexts } from './range-text.ts';
import { RateDialog } from './rate-dialog.tsx';
import { type Measure, ONE_RATE, type Overlap } from './records.ts';
import { useZones } from './zones.ts';

/** Which rate the dialog shows. */
interface Edited {
  readonly id?: number;
  /** Of a new rate. */
  readonly zone?: number;
}

interface Props {
  readonly methodId: number;
  readonly rates: readonly ShippingRateOutput[];
  onDone(): Promise<unknown>;
}

export function Rates({ methodId, rates, onDone }: Props) {
  const [edited, setEdited] = useState<Edited>();
  const [overlap, setOverlap] = useState<Overlap>();
  const translate = useTranslate();
  const zones = useZones();
  const mayAdd = [useMayWrite(), useMay('zones:read')].every(Boolean);
  const ids = [...new Set(rates.map(({ zone_id }) => zone_id))].sort((one, other) =>
    zones.nameOf(one).localeCompare(zones.nameOf(other)),
  );

  function open(next: Edited): void {
    setOverlap(undefined);
    setEdited(next);
  }

  return (
    <Stack spacing={2}>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate('shipping.ratesHelp')}
      </Typography>
      {rates.length === 0 && <Alert severity="warning">{translate('shipping.noRates')}</Alert>}
      {mayAdd && zones.all?.length === 0 && (
        <Alert severity="info">
          {translate('shipping.noZones')}{' '}
          <Link to="/taxes/zones" color="inherit" underline="always">
            {translate('taxes.tab.zones')}
          </Link>
        </Alert>
      )}
      {ids.map((zone) => (
        <ZoneRates
          key={zone}
          {...{ methodId, zone, overlap, onDone }}
          rates={rates.filter(({ zone_id }) => zone_id === zone)}
          onOpen={open}
        />
      ))}
      {mayAdd && zones.all !== undefined && zones.all.length > 0 && (
        <Box>
          <Button variant="contained" onClick={() => open({})}>
            {translate('shipping.newRate')}
          </Button>
        </Box>
      )}
      {edited && (
        <RateDialog
          {...{ methodId, rates, onDone }}
          {...edited}
          onOverlap={setOverlap}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Stack>
  );
}

interface ZoneProps extends Props {
  readonly zone: number;
  readonly overlap: Overlap | undefined;
  onOpen(edited: Edited): void;
}

const byMinima = (one: ShippingRateOutput, other: ShippingRateOutput): number =>
  one.min_weight - other.min_weight ||
  one.min_total - other.min_total ||
  one.min_discounted_total - other.min_discounted_total ||
  one.min_items - other.min_items;

function ZoneRates({ methodId, zone, rates, overlap, onOpen, onDone }: ZoneProps) {
  const translate = useTranslate();
  const zones = useZones();
  const addressesOf = useZoneText();
  const mayAdd = [useMayWrite(), useMay('zones:read')].every(Boolean);
  const columns = useColumns(methodId, overlap, onOpen, onDone);
  const record = zones.all?.find(({ id }) => id === zone);
  const name = zones.nameOf(zone);
  const hasDiscounted = rates.some((rate) => rate.min_discounted_total > 0 || rate.max_discounted_total !== null);
  return (
    <Box component="section" aria-label={name} sx={{ minWidth: 0 }}>
      <Stack
        direction="row"
        spacing={1}
        useFlexGap
        sx={{ flexWrap: 'wrap', alignItems: 'baseline', justifyContent: 'space-between' }}
      >
        <Typography component="h3" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        {mayAdd && (
          <Button
            size="small"
            onClick={() => onOpen({ zone })}
            aria-label={`${translate('shipping.addRate')}: ${name}`}
          >
            {translate('shipping.addRate')}
          </Button>
        )}
      </Stack>
      {record && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {addressesOf(record.elements)}
        </Typography>
      )}
      <ResponsiveTable
        label={`${translate('shipping.rates')}: ${name}`}
        columns={hasDiscounted ? columns : columns.filter((column) => column !== columns[DISCOUNTED])}
        rows={[...rates].sort(byMinima)}
        keyOf={({ id }) => id}
      />
    </Box>
  );
}

/** The column that most stores do not need. */
const DISCOUNTED = 2;

function useColumns(
  method_id: number,
  overlap: Overlap | undefined,
  onOpen: ZoneProps['onOpen'],
  onDone: Props['onDone'],
): readonly Column<ShippingRateOutput>[] {
  const translate = useTranslate();
  const texts = useRangeTexts();
  const mayWrite = useMayWrite();
  const action = useAction();
  const any = translate('shipping.any');

  async function remove(id: number): Promise<void> {
    await action.run(() => store.delete(ONE_RATE, { method_id, id }));
    await onDone();
  }

  const range = (measure: Measure): Column<ShippingRateOutput> => ({
    label: translate(`shipping.column.${measure}`),
    // Broken only between words.
    cell: (rate) => (
      <Box component="span" sx={{ overflowWrap: 'break-word' }}>
        {texts.range(rate, measure) ?? any}
      </Box>
    ),
  });
  const cost: Column<ShippingRateOutput> = {
    label: translate('shipping.column.cost'),
    cell: (rate) => (
      <Box sx={{ overflowWrap: 'break-word' }}>
        {texts.cost(rate)}
        {overlap?.id === rate.id && (
          <Typography variant="body2" color="error" role="alert">
            {translate('shipping.overlapsThis', { ranges: texts.ranges(overlap.bounds) })}
          </Typography>
        )}
      </Box>
    ),
  };
  const actions: Column<ShippingRateOutput> = {
    label: translate('list.actions'),
    isRight: true,
    cell: (rate) => (
      <>
        <IconButton
          size="small"
          onClick={() => onOpen({ id: rate.id })}
          aria-label={`${translate('button.edit')}: ${texts.ranges(rate)}`}
        >
          <EditIcon fontSize="small" />
        </IconButton>
        <DeleteButton
          name={texts.ranges(rate)}
          confirmation="shipping.deleteRate"
          onConfirmed={() => remove(rate.id)}
        />
      </>
    ),
  };
  return [
    ...[range('weight'), range('total'), range('discounted_total'), range('items'), cost],
    ...(mayWrite ? [actions] : []),
  ];
}
