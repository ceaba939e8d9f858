/** Creates or changes a tax rate. */
import { Box } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import type { TaxRateInput, TaxRateOutput } from 'purveyor/client';
import { DateTimeInput, SelectInput, useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { store } from '../api/client.ts';
import { DecimalInput, PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { TextField } from '../forms/translated-text.tsx';
import { type Texts, textIn, textValues } from '../forms/translated-texts.ts';
import { Translations } from '../forms/translations.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { useTranslatedRecord } from '../forms/use-translated-record.ts';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { LinkedSelect } from './linked-select.tsx';
import { MEMBERSHIPS_KEY, readMemberships, readTaxClasses, readZones, TAX_CLASSES_KEY, ZONES_KEY } from './records.ts';

const ONE = '/tax_rates/{id}';
const TEXTS: readonly TextField[] = [{ name: 'name', required: true }];
const NAMES = TEXTS.map(({ name }) => name);
const EMPTY_VALUES = { name: '', tax: '', position: 0 };

const NEW_RATE = {
  ...{ name: '', tax: 'VAT', type: '%', value: null, enabled: true, position: 0, base: 'discounted_subtotal' },
  ...{ zone: null, tax_class: null, membership: null, date_range_begin: null, date_range_end: null },
} as const;
const FIELDS = Object.keys(NEW_RATE) as (keyof typeof NEW_RATE)[];

const BASES = ['discounted_subtotal', 'subtotal', 'shipping'].map((id) => ({ id, name: `taxes.base.${id}` }));
const TYPES = [
  { id: '%', name: 'taxes.type.percent' },
  { id: '$', name: 'taxes.type.money' },
];

/** The form's fields that have other names than usual. */
const LABELS: Readonly<Record<string, string>> = {
  tax: 'taxes.code',
  value: 'taxes.rate',
  type: 'taxes.type',
  base: 'taxes.base',
  zone: 'taxes.zone',
  membership: 'field.membership_id',
  date_range_begin: 'taxes.begin',
  date_range_end: 'taxes.end',
};

interface Props {
  /** Undefined for a new rate. */
  readonly id?: number;
  /** All rates of the store. */
  readonly rates: readonly TaxRateOutput[];
  onClose(): void;
  onDone(): Promise<unknown>;
}

export function RateDialog({ id, rates, onClose, onDone }: Props) {
  const translate = useTranslate();
  const nameOfLinked = useNameOfLinked();

  async function read(): Promise<Version> {
    if (id === undefined)
      return { values: { ...NEW_RATE, tax: rates[0]?.tax ?? NEW_RATE.tax, ...textValues({}, NAMES) }, etag: '' };
    const [{ data, etag }, texts] = await Promise.all([
      store.get(ONE, { id }),
      store.get(`${ONE}/translations`, { id }),
    ]);
    const values = Object.fromEntries(FIELDS.map((field) => [field, data[field]]));
    return { values: { ...values, ...textValues(texts.data as unknown as Texts, NAMES) }, etag: etag! };
  }

  const save = useTranslatedRecord(id, NAMES, {
    create: async (own) => (await store.post('/tax_rates', own as unknown as TaxRateInput)).data.id,
    patch: (rate, own, ifMatch) => store.patch(ONE, { id: rate }, own, { ifMatch }),
    patchTexts: (rate, texts, language) => store.patch(ONE, { id: rate }, texts, { language }),
    removeTexts: (rate, code) => store.delete(`${ONE}/translations/{code}`, { id: rate, code }),
    readEtag: async (rate) => (await store.get(ONE, { id: rate })).etag!,
  });

  return (
    <RecordDialog
      title={translate(id === undefined ? 'taxes.new' : 'taxes.edit')}
      maxWidth="md"
      queryKey={['tax-rate', id]}
      emptyValues={EMPTY_VALUES}
      labelOf={(field) => {
        const text = textIn(field);
        if (text) return `${translate(`field.${text.field}`)} (${text.code})`;
        return LABELS[field] && translate(LABELS[field]);
      }}
      textOf={nameOfLinked}
      read={read}
      write={(changed, etag, values) =>
        save(id === undefined ? { ...ownOf(values), ...changed } : changed, etag, values)
      }
      {...{ onClose, onDone }}
    >
      <Fields />
      <Translations fields={TEXTS} />
    </RecordDialog>
  );
}

/** Returns the fields of a new rate, also those that have their initial value. */
const ownOf = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(FIELDS.filter((field) => values[field] !== null).map((field) => [field, values[field]]));

/** Returns a function that names the linked records of a rate, for conflicts. */
function useNameOfLinked(): (field: string, value: unknown) => string | undefined {
  const queries = useQueryClient();
  const KEYS: Readonly<Record<string, readonly unknown[]>> = {
    zone: ZONES_KEY,
    tax_class: TAX_CLASSES_KEY,
    membership: MEMBERSHIPS_KEY,
  };
  return (field, value) => {
    const key = KEYS[field];
    const records = key && queries.getQueryData<readonly { id: number; name: string }[]>(key);
    return records?.find(({ id }) => id === value)?.name;
  };
}

function Fields() {
  const translate = useTranslate();
  const currency = useStoreInfo()?.currency;
  const type = useWatch({ name: 'type' });
  return (
    <Box sx={GRID}>
      <PlainTextInput source="name" help="taxes.nameHelp" required />
      <SwitchInput source="enabled" />
      <DecimalInput
        source="value"
        label={translate('taxes.rate')}
        help={type === '$' ? 'taxes.rateHelp.money' : 'taxes.rateHelp.percent'}
        unit={type === '$' ? currency : '%'}
      />
      <SelectInput source="type" label="taxes.type" choices={TYPES} helperText="taxes.typeHelp" validate={[]} />
      <LinkedSelect
        source="zone"
        label={translate('taxes.zone')}
        help="taxes.zoneHelp"
        none={translate('taxes.everyZone')}
        queryKey={ZONES_KEY}
        read={readZones}
      />
      <SelectInput source="base" label="taxes.base" choices={BASES} helperText="taxes.baseHelp" validate={[]} />
      <LinkedSelect
        source="tax_class"
        label={translate('field.tax_class')}
        help="taxes.classHelp"
        none={translate('taxes.everyClass')}
        queryKey={TAX_CLASSES_KEY}
        read={readTaxClasses}
      />
      <LinkedSelect
        source="membership"
        label={translate('field.membership_id')}
        help="taxes.membershipHelp"
        none={translate('taxes.everyBuyer')}
        queryKey={MEMBERSHIPS_KEY}
        read={readMemberships}
      />
      <PlainTextInput source="tax" label={translate('taxes.code')} help="taxes.codeHelp" required />
      <DecimalInput source="position" decimals={0} help="taxes.positionHelp" />
      <DateTimeInput source="date_range_begin" label="taxes.begin" helperText="taxes.beginHelp" />
      <DateTimeInput source="date_range_end" label="taxes.end" helperText="taxes.endHelp" />
    </Box>
  );
}

const GRID = {
  display: 'grid',
  columnGap: 2,
  alignItems: 'start',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 300px), 1fr))',
} as const;
