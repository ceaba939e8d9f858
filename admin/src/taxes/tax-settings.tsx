/** How the store calculates taxes. */
import { Box, FormControl, FormControlLabel, FormLabel, Radio, RadioGroup, Typography } from '@mui/material';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Form, SelectInput, useInput, useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { FieldGroup } from '../forms/field-group.tsx';
import { SaveBar } from '../forms/save-bar.tsx';
import { useSaveRecord, type Version } from '../forms/use-save-record.tsx';
import { LinkedSelect } from './linked-select.tsx';
import { readZones, ZONES_KEY } from './records.ts';

const FIELDS = [
  ...(['prices_include_tax', 'default_zone', 'outside_zone', 'address', 'shipping'] as const),
  ...(['rounding', 'rounding_target', 'vat_id_exempt_zone'] as const),
] as const;

const choices = (field: string, values: readonly string[]) =>
  values.map((id) => ({ id, name: `taxSettings.${field}.${id}` }));

const ADDRESS = choices('address', ['shipping', 'billing']);
const SHIPPING = choices('shipping', ['rates', 'proportional']);
const ROUNDING = choices('rounding', ['half_up', 'half_even', 'half_down', 'down']);
const ROUNDING_TARGET = choices('rounding_target', ['line', 'unit', 'total']);

async function readSettings(): Promise<Version> {
  const { data, etag } = await store.get('/tax_settings');
  return { values: Object.fromEntries(FIELDS.map((field) => [field, data[field]])), etag: etag! };
}

export default function TaxSettings() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['tax-settings'],
    queryFn: readSettings,
    // A refetch in the background would change the form while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const reload = async (): Promise<void> => void (await refetch());
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (isPending) return <LoadingSkeleton />;
  return <SettingsForm key={data.etag} loaded={data} onDone={reload} />;
}

function SettingsForm({ loaded, onDone }: { loaded: Version; onDone(): Promise<void> }) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const saving = useSaveRecord({
    original: loaded,
    labelOf: (field) => translate(`taxSettings.${field}`),
    textOf(field, value) {
      if (value === null || typeof value === 'boolean') return undefined;
      if (!field.endsWith('_zone') || field === 'outside_zone') return translate(`taxSettings.${field}.${value}`);
      const zones = queries.getQueryData<Awaited<ReturnType<typeof readZones>>>(ZONES_KEY);
      return zones?.find(({ id }) => id === value)?.name;
    },
    read: readSettings,
    write: (changed, etag) => store.patch('/tax_settings', changed, { ifMatch: etag }),
    onDone,
  });
  return (
    <Box sx={{ maxWidth: 960 }}>
      <Form
        record={{ id: 'tax_settings', ...loaded.values }}
        onSubmit={saving.submit}
        warnWhenUnsavedChanges
        noValidate
      >
        <Prices />
        <FieldGroup title="taxSettings.buyers">
          <SelectInput
            source="address"
            label="taxSettings.address"
            choices={ADDRESS}
            helperText="taxSettings.addressHelp"
            validate={[]}
          />
          <LinkedSelect
            source="vat_id_exempt_zone"
            label={translate('taxSettings.vat_id_exempt_zone')}
            help="taxSettings.vat_id_exempt_zoneHelp"
            none={translate('taxSettings.noExemption')}
            queryKey={ZONES_KEY}
            read={readZones}
          />
          <SelectInput
            source="shipping"
            label="taxSettings.shipping"
            choices={SHIPPING}
            helperText="taxSettings.shippingHelp"
            validate={[]}
          />
        </FieldGroup>
        <FieldGroup title="taxSettings.roundingTitle">
          <SelectInput
            source="rounding_target"
            label="taxSettings.rounding_target"
            choices={ROUNDING_TARGET}
            helperText="taxSettings.rounding_targetHelp"
            validate={[]}
          />
          <SelectInput
            source="rounding"
            label="taxSettings.rounding"
            choices={ROUNDING}
            helperText="taxSettings.roundingHelp"
            validate={[]}
          />
        </FieldGroup>
        <SaveBar isBusy={saving.isBusy} />
      </Form>
      {saving.dialog}
    </Box>
  );
}

function Prices() {
  const translate = useTranslate();
  const includesTax = useWatch({ name: 'prices_include_tax' }) === true;
  return (
    <FieldGroup title="taxSettings.prices">
      <Choice
        source="prices_include_tax"
        values={[false, true]}
        textOf={(value) => `taxSettings.prices_include_tax.${value ? 'yes' : 'no'}`}
      />
      <LinkedSelect
        source="default_zone"
        label={translate('taxSettings.default_zone')}
        help={includesTax ? 'taxSettings.default_zoneHelp.included' : 'taxSettings.default_zoneHelp.added'}
        none={translate('state.none')}
        queryKey={ZONES_KEY}
        read={readZones}
      />
      {includesTax && (
        <Choice
          source="outside_zone"
          values={['net', 'gross']}
          textOf={(value) => `taxSettings.outside_zone.${value}`}
        />
      )}
    </FieldGroup>
  );
}

interface ChoiceProps<T> {
  readonly source: string;
  readonly values: readonly T[];
  /** Returns the message key of a value. The explanation has the same key with `Help`. */
  textOf(value: T): string;
}

/** A choice whose alternatives need a sentence each. */
function Choice<T extends string | boolean>({ source, values, textOf }: ChoiceProps<T>) {
  const { field, fieldState } = useInput({ source });
  const translate = useTranslate();
  const error = fieldState.error?.message;
  const id = `choice-${source}`;
  return (
    <FormControl error={error !== undefined} sx={{ m: 0, gridColumn: '1 / -1' }}>
      <FormLabel id={id}>{translate(`taxSettings.${source}`)}</FormLabel>
      <RadioGroup
        aria-labelledby={id}
        value={String(field.value)}
        onChange={(_event, chosen) => field.onChange(values.find((value) => String(value) === chosen))}
      >
        {values.map((value) => (
          <FormControlLabel
            key={String(value)}
            value={String(value)}
            control={<Radio size="small" />}
            sx={{ alignItems: 'flex-start', mr: 0, mb: 0.5 }}
            label={
              <Box sx={{ pt: 0.9 }}>
                {translate(textOf(value))}
                <Typography variant="body2" color="textSecondary">
                  {translate(`${textOf(value)}Help`)}
                </Typography>
              </Box>
            }
          />
        ))}
      </RadioGroup>
      {error !== undefined && (
        <Typography variant="body2" color="error" role="alert">
          {error}
        </Typography>
      )}
    </FormControl>
  );
}
