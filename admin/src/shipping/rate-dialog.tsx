/** Creates or changes a rate of a shipping method. */
import { Alert, Box } from '@mui/material';
import { type ShippingRateInput, type ShippingRateOutput, StoreProblem } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { FieldGroup } from '../forms/field-group.tsx';
import { DecimalInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { LinkedSelect } from '../taxes/linked-select.tsx';
import { readZones, ZONES_KEY } from '../taxes/records.ts';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { useRangeTexts } from './range-text.ts';
import { type Bounds, MEASURES, type Measure, ONE_RATE, type Overlap, RATES } from './records.ts';
import { useZones } from './zones.ts';

const MARKUPS = ['markup_flat', 'markup_percent', 'markup_per_item', 'markup_per_weight'] as const;

/** What emptied fields mean; a maximum is then null. */
const EMPTY_VALUES: Values = Object.fromEntries(
  [...MEASURES.map((measure) => `min_${measure}`), ...MARKUPS].map((field) => [field, 0]),
);
const NEW_RATE: Values = {
  ...EMPTY_VALUES,
  ...Object.fromEntries(MEASURES.map((measure) => [`max_${measure}`, null])),
};

interface Props {
  readonly methodId: number;
  /** Undefined for a new rate. */
  readonly id?: number;
  /** Of a new rate. */
  readonly zone?: number;
  /** All rates of the method. */
  readonly rates: readonly ShippingRateOutput[];
  onOverlap(overlap: Overlap | undefined): void;
  onClose(): void;
  onDone(): Promise<unknown>;
}

/** The id of the rate that the store names. */
const OTHER_RATE = /overlaps \/shipping_methods\/\d+\/rates\/(\d+)/;

export function RateDialog({ methodId: method_id, id, zone, rates, onOverlap, onClose, onDone }: Props) {
  const translate = useTranslate();
  const texts = useRangeTexts();
  const zones = useZones();

  async function read(): Promise<Version> {
    if (id === undefined) return { values: { zone_id: zone ?? null, ...NEW_RATE }, etag: '' };
    const { data, etag } = await store.get(ONE_RATE, { method_id, id });
    const fields = ['zone_id', ...Object.keys(NEW_RATE)] as (keyof ShippingRateOutput)[];
    return { values: Object.fromEntries(fields.map((field) => [field, data[field]])), etag: etag! };
  }

  async function write(changed: Values, ifMatch: string, values: Values): Promise<unknown> {
    const filled = Object.fromEntries(
      Object.entries(values).map(([field, value]) => [field, value ?? EMPTY_VALUES[field] ?? null]),
    );
    onOverlap(undefined);
    try {
      if (id !== undefined) return await store.patch(ONE_RATE, { method_id, id }, changed, { ifMatch });
      return await store.post(RATES, { method_id }, withZone(filled) as unknown as ShippingRateInput);
    } catch (error) {
      const other = error instanceof StoreProblem ? OTHER_RATE.exec(error.violations[0]?.message ?? '') : null;
      if (!other) throw error;
      const overlap = { id: Number(other[1]), bounds: filled as unknown as Bounds };
      onOverlap(overlap);
      const found = rates.find((rate) => rate.id === overlap.id);
      throw new Error(translate('shipping.overlap', { ranges: found ? texts.ranges(found) : `${overlap.id}` }));
    }
  }

  return (
    <RecordDialog
      title={translate(id === undefined ? 'shipping.newRate' : 'shipping.editRate')}
      maxWidth="md"
      queryKey={['shipping-rate', method_id, id, zone]}
      emptyValues={EMPTY_VALUES}
      labelOf={(field) => translate(`shipping.rate.${field}`)}
      textOf={(field, value) => (field === 'zone_id' ? zones.nameOf(value as number) : undefined)}
      {...{ read, write, onClose, onDone }}
    >
      <Fields />
    </RecordDialog>
  );
}

/** Without a zone, the store says that it is missing. */
function withZone({ zone_id, ...rest }: Values): Values {
  return zone_id === null ? rest : { zone_id, ...rest };
}

function Fields() {
  const translate = useTranslate();
  const info = useStoreInfo();
  const unitOf = (field: string): string | undefined => {
    if (field.includes('weight')) return field === 'markup_per_weight' ? info?.currency : info?.weight_unit;
    if (field.endsWith('_items')) return undefined;
    return field === 'markup_percent' ? '%' : info?.currency;
  };
  const input = (field: string, help?: string) => (
    <DecimalInput
      key={field}
      source={field}
      label={translate(`shipping.rate.${field}`, { unit: info?.weight_unit ?? '' })}
      decimals={field.endsWith('_items') ? 0 : 4}
      unit={unitOf(field)}
      {...(help === undefined ? {} : { help })}
    />
  );
  const ends = (measure: Measure) => [input(`min_${measure}`), input(`max_${measure}`, 'shipping.help.max')];
  return (
    <>
      <FieldGroup title="shipping.group.where">
        <LinkedSelect
          source="zone_id"
          label={translate('shipping.rate.zone_id')}
          help="shipping.help.zone"
          none={translate('shipping.chooseZone')}
          queryKey={ZONES_KEY}
          read={readZones}
        />
      </FieldGroup>
      <FieldGroup title="shipping.group.orders">
        <Alert severity="info" icon={false} sx={{ gridColumn: '1 / -1', py: 0 }}>
          {translate('shipping.help.ranges')}
        </Alert>
        <Box sx={PAIRS}>{MEASURES.flatMap(ends)}</Box>
      </FieldGroup>
      <FieldGroup title="shipping.group.price">
        <Alert severity="info" icon={false} sx={{ gridColumn: '1 / -1', py: 0 }}>
          {translate('shipping.help.markups')}
        </Alert>
        {MARKUPS.map((field) => input(field))}
      </FieldGroup>
    </>
  );
}

/** Both ends of a range in one line. */
const PAIRS = {
  gridColumn: '1 / -1',
  display: 'grid',
  columnGap: 3,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
} as const;
