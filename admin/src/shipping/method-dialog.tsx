/** Creates or changes a shipping method. Its rates are on its page. */
import { Box, Typography } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import type { ShippingMethodInput } from 'purveyor/client';
import { useRef } from 'react';
import { BooleanInput, SelectInput, useInput, useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { AddressFields, type AddressValues, addressInput, addressValues } from '../forms/address-fields.tsx';
import { FieldGroup } from '../forms/field-group.tsx';
import { DecimalInput, PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import type { TextField } from '../forms/translated-text.tsx';
import { type Texts, textIn, textValues } from '../forms/translated-texts.ts';
import { Translations } from '../forms/translations.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { useTranslatedRecord } from '../forms/use-translated-record.ts';
import { LinkedSelect } from '../taxes/linked-select.tsx';
import { readTaxClasses, TAX_CLASSES_KEY } from '../taxes/records.ts';
import { useMay } from '../utils/use-may.tsx';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { METHODS, ONE } from './records.ts';

const TEXT_NAMES = ['name', 'delivery_time'] as const;
const EMPTY_VALUES = { name: '', delivery_time: '', carrier: '', code: '', handling_fee: 0 };

const NEW_METHOD = {
  ...{ name: '', delivery_time: '', enabled: true, processor: 'offline', pickup_address: null, tax_class: null },
  ...{ handling_fee: 0, free_from: null, free_by_coupon: true, carrier: '', code: '' },
} as const;
const FIELDS = Object.keys(NEW_METHOD) as (keyof typeof NEW_METHOD)[];

const PROCESSORS = ['offline', 'pickup'].map((id) => ({ id, name: `shipping.processor.${id}` }));

interface Props {
  /** Undefined for a new method. */
  readonly id?: number;
  /** Of a new method. */
  readonly position?: number;
  onClose(): void;
  onDone(id: number): Promise<unknown>;
}

export function MethodDialog({ id, position, onClose, onDone }: Props) {
  const translate = useTranslate();
  const queries = useQueryClient();
  /** The id of a new method, also if its translations were then rejected. */
  const written = useRef(id ?? 0);

  async function read(): Promise<Version> {
    if (id === undefined)
      return {
        values: { ...NEW_METHOD, pickup_address: addressValues(null), ...textValues({}, TEXT_NAMES) },
        etag: '',
      };
    const [{ data, etag }, texts] = await Promise.all([
      store.get(ONE, { id }),
      store.get(`${ONE}/translations`, { id }),
    ]);
    const values = {
      ...Object.fromEntries(FIELDS.map((field) => [field, data[field]])),
      pickup_address: addressValues(data.pickup_address),
    };
    return { values: { ...values, ...textValues(texts.data as unknown as Texts, TEXT_NAMES) }, etag: etag! };
  }

  const save = useTranslatedRecord(id, TEXT_NAMES, {
    async create(own) {
      const input = { ...EMPTY_VALUES, ...own, position } as unknown as ShippingMethodInput;
      written.current = (await store.post(METHODS, input)).data.id;
      return written.current;
    },
    patch: (method, own, ifMatch) => store.patch(ONE, { id: method }, own, { ifMatch }),
    patchTexts: (method, texts, language) => store.patch(ONE, { id: method }, texts, { language }),
    removeTexts: (method, code) => store.delete(`${ONE}/translations/{code}`, { id: method, code }),
    readEtag: async (method) => (await store.get(ONE, { id: method })).etag!,
  });

  return (
    <RecordDialog
      title={translate(id === undefined ? 'shipping.new' : 'shipping.edit')}
      maxWidth="md"
      queryKey={['shipping-method', id]}
      emptyValues={EMPTY_VALUES}
      labelOf={(field) => {
        const text = textIn(field);
        const label = translate(`shipping.field.${text?.field ?? field}`, { _: '' });
        return text ? `${label || translate(`field.${text.field}`)} (${text.code})` : label || undefined;
      }}
      textOf={(field, value) => {
        if (field === 'pickup_address')
          return Object.values(value as object)
            .filter(Boolean)
            .join(', ');
        if (field === 'processor') return translate(`shipping.processor.${value}`);
        const classes = queries.getQueryData<Awaited<ReturnType<typeof readTaxClasses>>>(TAX_CLASSES_KEY);
        return field === 'tax_class' ? classes?.find((one) => one.id === value)?.name : undefined;
      }}
      read={read}
      write={(changed, etag, values) => save(withAddress(changed), etag, values)}
      onClose={onClose}
      onDone={() => onDone(written.current)}
    >
      <Fields />
      <Translations fields={useTexts()} />
    </RecordDialog>
  );
}

/** Empty fields are no address. */
function withAddress(changed: Values): Values {
  if (!('pickup_address' in changed)) return changed;
  return { ...changed, pickup_address: addressInput(changed.pickup_address as AddressValues) };
}

function useTexts(): readonly TextField[] {
  const translate = useTranslate();
  return [
    { name: 'name', required: true },
    { name: 'delivery_time', label: translate('shipping.field.delivery_time') },
  ];
}

function Fields() {
  const translate = useTranslate();
  const currency = useStoreInfo()?.currency;
  const isPickup = useWatch({ name: 'processor' }) === 'pickup';
  const mayReadClasses = useMay('tax_classes:read');
  return (
    <>
      <FieldGroup title="shipping.group.buyers">
        <PlainTextInput source="name" help="shipping.help.name" required />
        <PlainTextInput
          source="delivery_time"
          label={translate('shipping.field.delivery_time')}
          help="shipping.help.delivery_time"
        />
        <SwitchInput source="enabled" help="shipping.help.enabled" />
      </FieldGroup>
      <FieldGroup title="shipping.group.how">
        <SelectInput
          source="processor"
          label="shipping.field.processor"
          choices={PROCESSORS}
          helperText={false}
          validate={[]}
        />
        {isPickup && <PickupAddressInput />}
      </FieldGroup>
      <FieldGroup title="shipping.group.cost">
        <DecimalInput
          source="handling_fee"
          label={translate('shipping.field.handling_fee')}
          help="shipping.help.handling_fee"
          unit={currency}
        />
        <DecimalInput
          source="free_from"
          label={translate('shipping.field.free_from')}
          help="shipping.help.free_from"
          unit={currency}
        />
        {mayReadClasses && (
          <LinkedSelect
            source="tax_class"
            label={translate('field.tax_class')}
            help="shipping.help.tax_class"
            none={translate('state.none')}
            queryKey={TAX_CLASSES_KEY}
            read={readTaxClasses}
          />
        )}
        <BooleanInput
          source="free_by_coupon"
          label="shipping.field.free_by_coupon"
          helperText="shipping.help.free_by_coupon"
        />
      </FieldGroup>
      <FieldGroup title="shipping.group.carrier">
        <PlainTextInput source="carrier" help="shipping.help.carrier" />
        <PlainTextInput source="code" label={translate('shipping.field.code')} help="shipping.help.code" />
      </FieldGroup>
    </>
  );
}

function PickupAddressInput() {
  const { field, fieldState } = useInput({ source: 'pickup_address' });
  const translate = useTranslate();
  const error = fieldState.error?.message;
  return (
    <Box role="group" aria-label={translate('shipping.field.pickup_address')} sx={{ gridColumn: '1 / -1' }}>
      <Typography sx={{ fontWeight: 600 }}>{translate('shipping.field.pickup_address')}</Typography>
      <Typography variant="body2" color="textSecondary">
        {translate('shipping.help.pickup_address')}
      </Typography>
      <AddressFields values={field.value as AddressValues} onChange={field.onChange} />
      {error !== undefined && (
        <Typography variant="body2" color="error" role="alert">
          {error}
        </Typography>
      )}
    </Box>
  );
}
