/** A new order, for example of a customer on the telephone. The store calculates it before it is saved. */
import {
  Alert,
  Box,
  Button,
  Card,
  Checkbox,
  FormControlLabel,
  MenuItem,
  Stack,
  TextField,
  Typography,
} from '@mui/material';
import type { OrderInput } from 'purveyor/client';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { Title, useStore, useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { isSame } from '../../api/record-diff.ts';
import { RecordToolbar } from '../../components/record-toolbar.tsx';
import { Section } from '../../components/section.tsx';
import {
  AddressFields,
  type AddressValues,
  addressInput,
  addressValues,
  NO_ADDRESS,
} from '../../forms/address-fields.tsx';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { useFormat } from '../../utils/format.ts';
import { useLeaveGuard } from '../../utils/use-leave-guard.ts';
import { useStoreInfo } from '../../utils/use-store-info.ts';
import { Totals } from '../order-items.tsx';
import { useStatusName } from '../statuses.ts';
import { type Calculation, CalculationInput, isShownAtFields, useMayCalculate } from './calculation-input.tsx';
import { CustomerInput, type FoundCustomer } from './customer-input.tsx';
import { type DraftLine, type DraftSurcharge, hasVariant, itemInput, surchargeInputs } from './draft.ts';
import { useFreeShipping, withFreeShipping } from './free-shipping.ts';
import { LinesEditor } from './lines-editor.tsx';
import type { Quoted } from './quoted.ts';
import { chargesOf, SurchargesEditor } from './surcharges-editor.tsx';
import { useCreateOrder } from './use-create-order.ts';
import { useOrderQuote } from './use-quote.ts';

interface Draft extends Calculation {
  readonly customer: FoundCustomer | null;
  readonly email: string;
  readonly lines: readonly DraftLine[];
  readonly surcharges: readonly DraftSurcharge[];
  readonly billing: AddressValues;
  readonly shipping: AddressValues;
  readonly shipsElsewhere: boolean;
  readonly shippingMethod: string;
  readonly payment: 'Q' | 'P';
  readonly notes: string;
  readonly adminNotes: string;
}

const NEW: Draft = {
  ...{ customer: null, email: '', lines: [], surcharges: [], billing: NO_ADDRESS, shipping: NO_ADDRESS },
  ...{ shipsElsewhere: false, shippingMethod: '', payment: 'Q', notes: '', adminNotes: '', coupons: [], vatId: '' },
};

/** Whether the form is as it was opened. */
const isBlank = (draft: Draft): boolean => isSame(draft, NEW);

interface Charging {
  readonly isCalculated: boolean;
  /** A coupon makes the shipping free. */
  readonly isFree: boolean;
}

type Translate = ReturnType<typeof useTranslate>;

function inputOf(draft: Draft, { isCalculated, isFree }: Charging, translate: Translate): OrderInput {
  const billing = addressInput(draft.billing);
  const shipping = draft.shipsElsewhere ? addressInput(draft.shipping) : billing;
  const { shippingMethod } = draft;
  const charges = chargesOf(draft.surcharges);
  const ofCalculated = isFree ? withFreeShipping(charges) : charges;
  return {
    email: draft.email.trim(),
    items: draft.lines.map(itemInput),
    surcharges: surchargeInputs(isCalculated ? ofCalculated : draft.surcharges, translate),
    ...(billing ? { billing_address: billing } : {}),
    ...(shipping ? { shipping_address: shipping } : {}),
    ...(draft.customer ? { customer_id: draft.customer.id } : {}),
    ...(shippingMethod.trim() === '' ? {} : { shipping_method_name: shippingMethod.trim() }),
    ...{ notes: draft.notes, admin_notes: draft.adminNotes },
    ...(isCalculated ? calculationOf(draft) : {}),
  };
}

/** Without a VAT ID, the store takes that of the customer, which this session may not be allowed to see. */
function calculationOf({ coupons, vatId, customer }: Draft): Pick<OrderInput, 'coupons' | 'vat_id'> {
  return { coupons, ...(vatId.trim() === '' && !customer?.vat_id ? {} : { vat_id: vatId.trim() }) };
}

const IS_EMAIL = /^[^\s@]+@[^\s@]+$/;

const NO_COUPONS: readonly number[] = [];

/**
 * Asks for the order. The e-mail matters only for coupons, which may have a limit for each buyer. If one of them makes the shipping
 * free, the order is asked for again without shipping costs.
 */
function useDraftQuote(draft: Draft, isCalculated: boolean) {
  const [coupons, setCoupons] = useState(NO_COUPONS);
  const { isKnown, isFree } = useFreeShipping(coupons);
  const translate = useTranslate();
  const input = inputOf(draft, { isCalculated, isFree }, translate);
  const { email, ...order } = input;
  const known = isCalculated && order.coupons?.length && IS_EMAIL.test(email) ? { email } : {};
  const isComplete = draft.lines.length > 0 && draft.lines.every(hasVariant);
  const quote = useOrderQuote(isComplete ? { order: { ...order, ...known }, isCalculated } : undefined);
  const found = quote.quoted?.couponsWithoutAmount ?? NO_COUPONS;
  if (found.join() !== coupons.join()) setCoupons(found);
  return { ...quote, input, isShippingFree: isFree, isReady: quote.isReady && isKnown };
}

export default function OrderCreate() {
  const [draft, setDraft] = useState(NEW);
  const [wantsCalculation, setWantsCalculation] = useStore('orders.calculate', true);
  const mayCalculate = useMayCalculate();
  const isCalculated = mayCalculate && wantsCalculation;
  const emailField = useRef<HTMLInputElement>(null);
  const translate = useTranslate();
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const allowLeaving = useLeaveGuard(!isBlank(draft), 'ra.message.unsaved_changes');
  const { quoted, input, isShippingFree, ...quote } = useDraftQuote(draft, isCalculated);
  const { isBusy, errors, create } = useCreateOrder({
    onCreated: allowLeaving,
    onRejected: (found) => {
      if (found.email) emailField.current?.focus();
      else if (isCalculated) quote.renew();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const seen = isCalculated ? { calculate: true, expected_total: quoted!.total } : {};
    void create({ ...input, ...seen }, draft.payment === 'P');
  }

  return (
    <>
      <Title title={translate('orders.new')} />
      <RecordToolbar resource="orders" />
      <form onSubmit={submit} noValidate>
        <Box sx={COLUMNS}>
          <Stack spacing={2}>
            <Lines draft={draft} onChange={change} quoted={quoted} isCalculated={isCalculated} />
            <Contact draft={draft} onChange={change} error={errors.email} emailField={emailField} />
            <Addresses draft={draft} onChange={change} />
          </Stack>
          <Stack spacing={2}>
            {mayCalculate && (
              <CalculationInput
                {...{ coupons: draft.coupons, vatId: draft.vatId, error: quote.error, onChange: change }}
                isOn={isCalculated}
                isShippingFree={isShippingFree}
                onSwitch={setWantsCalculation}
              />
            )}
            <Details draft={draft} onChange={change} order={quoted} />
            <Card variant="outlined" sx={{ p: 2, position: { lg: 'sticky' }, top: 64 }}>
              <Quote order={quoted} error={quote.error} isEmpty={draft.lines.length === 0} />
              <CreateButton
                isBusy={isBusy}
                isDisabled={
                  draft.lines.length === 0 || !draft.lines.every(hasVariant) || (isCalculated && !quote.isReady)
                }
              />
            </Card>
          </Stack>
        </Box>
      </form>
    </>
  );
}

function CreateButton({ isBusy, isDisabled }: { isBusy: boolean; isDisabled: boolean }) {
  const translate = useTranslate();
  return (
    <Button
      type="submit"
      variant="contained"
      size="large"
      fullWidth
      loading={isBusy}
      disabled={isDisabled}
      sx={{ mt: 2 }}
    >
      {translate('orders.create')}
    </Button>
  );
}

const COLUMNS = {
  display: 'grid',
  gap: 2,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' },
} as const;

interface QuoteProps {
  readonly order: Quoted | undefined;
  readonly error: unknown;
  /** The order has no lines yet. */
  readonly isEmpty: boolean;
}

function Quote({ order, error, isEmpty }: QuoteProps) {
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  return (
    <Box role="status">
      {isEmpty && <Typography color="textSecondary">{translate('orders.noLines')}</Typography>}
      {order && <Totals order={order} />}
      {error !== null && (
        <Alert severity="error">{isShownAtFields(error) ? translate('orders.noQuote') : errorMessage(error)}</Alert>
      )}
    </Box>
  );
}

interface PartProps {
  readonly draft: Draft;
  onChange(changed: Partial<Draft>): void;
}

/** The items, and what is added to their prices. */
function Lines({ draft, onChange, quoted, isCalculated }: PartProps & { quoted?: Quoted; isCalculated: boolean }) {
  const info = useStoreInfo();
  const { lines, surcharges } = draft;
  return (
    <>
      <Section title="orders.lines">
        <LinesEditor
          lines={lines}
          onChange={(changed) => onChange({ lines: changed })}
          quoted={(line) => quoted?.items[lines.indexOf(line)]}
          currency={quoted?.currency ?? info?.currency}
        />
      </Section>
      <Section title={isCalculated ? 'orders.charges' : 'orders.surcharges'}>
        <SurchargesEditor
          surcharges={surcharges}
          onChange={(changed) => onChange({ surcharges: changed })}
          isCalculated={isCalculated}
        />
      </Section>
    </>
  );
}

interface ContactProps extends PartProps {
  /** Of the e-mail. */
  readonly error: string | undefined;
  readonly emailField: RefObject<HTMLInputElement | null>;
}

function Contact({ draft, onChange, error, emailField }: ContactProps) {
  const translate = useTranslate();

  /** The customer chosen last; a response for an earlier one is ignored. */
  const chosen = useRef<FoundCustomer | null>(null);
  /** The billing address that was taken from an address book. */
  const taken = useRef<Draft['billing']>(undefined);

  /** Takes the e-mail and the VAT ID of a customer, and the addresses of the address book. What is typed remains; what another customer has does not. */
  async function choose(customer: FoundCustomer | null): Promise<void> {
    chosen.current = customer;
    const isTaken = taken.current !== undefined && draft.billing === taken.current;
    taken.current = undefined;
    onChange({
      ...(customer ? { customer, email: customer.login } : { customer }),
      ...(draft.vatId.trim() === (draft.customer?.vat_id ?? '') ? { vatId: customer?.vat_id ?? '' } : {}),
      ...(isTaken ? { billing: NO_ADDRESS, shipping: NO_ADDRESS, shipsElsewhere: false } : {}),
    });
    if (!customer) return;
    const { data } = await store.page('/profiles/{profile_id}/addresses', { profile_id: customer.id });
    const billing = data.find(({ is_billing }) => is_billing) ?? data[0];
    if (!billing || chosen.current !== customer) return;
    const shipping = data.find(({ is_shipping }) => is_shipping) ?? billing;
    taken.current = addressValues(billing);
    onChange({
      billing: taken.current,
      ...{ shipping: addressValues(shipping), shipsElsewhere: shipping !== billing },
    });
  }

  return (
    <Section title="orders.contact">
      <CustomerInput value={draft.customer} onChange={(customer) => void choose(customer)} />
      <TextField
        label={translate('field.email')}
        type="email"
        value={draft.email}
        onChange={({ target }) => onChange({ email: target.value })}
        error={error !== undefined}
        helperText={error ?? translate('orders.emailHelp')}
        inputRef={emailField}
        required
      />
    </Section>
  );
}

function Addresses({ draft, onChange }: PartProps) {
  const translate = useTranslate();
  return (
    <Section title="orders.billingAddress">
      <AddressFields values={draft.billing} onChange={(billing) => onChange({ billing })} />
      <FormControlLabel
        control={
          <Checkbox
            checked={draft.shipsElsewhere}
            onChange={(_event, shipsElsewhere) => onChange({ shipsElsewhere })}
          />
        }
        label={translate('orders.shipsElsewhere')}
      />
      {draft.shipsElsewhere && (
        <Box role="group" aria-label={translate('orders.shippingAddress')}>
          <AddressFields values={draft.shipping} onChange={(shipping) => onChange({ shipping })} />
        </Box>
      )}
    </Section>
  );
}

function Details({ draft, onChange, order }: PartProps & { order: Quoted | undefined }) {
  const translate = useTranslate();
  const format = useFormat();
  const nameOf = useStatusName();
  const statuses = { Q: 'Awaiting payment', P: 'Paid' } as const;
  return (
    <Section title="orders.details">
      <TextField
        select
        label={translate('field.payment_status')}
        value={draft.payment}
        onChange={({ target }) => onChange({ payment: target.value as Draft['payment'] })}
        helperText={
          draft.payment === 'P' && order
            ? translate('orders.money.sale', { value: format.money(order.total, order.currency) })
            : translate('orders.paymentHelp')
        }
      >
        {(['Q', 'P'] as const).map((code) => (
          <MenuItem key={code} value={code}>
            {nameOf('payment', { code, name: statuses[code] })}
          </MenuItem>
        ))}
      </TextField>
      <TextField
        label={translate('field.shipping_method_name')}
        value={draft.shippingMethod}
        onChange={({ target }) => onChange({ shippingMethod: target.value })}
      />
      <TextField
        label={translate('field.notes')}
        value={draft.notes}
        onChange={({ target }) => onChange({ notes: target.value })}
        multiline
        minRows={2}
      />
      <TextField
        label={translate('field.admin_notes')}
        value={draft.adminNotes}
        onChange={({ target }) => onChange({ adminNotes: target.value })}
        multiline
        minRows={2}
      />
    </Section>
  );
}
