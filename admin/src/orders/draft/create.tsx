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
import type { OrderInput, OrderOutput } from 'purveyor/client';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { Title, useTranslate } from 'react-admin';
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
import { CustomerInput, type FoundCustomer } from './customer-input.tsx';
import { type DraftLine, type DraftSurcharge, itemInput, surchargeInputs } from './draft.ts';
import { LinesEditor } from './lines-editor.tsx';
import { SurchargesEditor } from './surcharges-editor.tsx';
import { useCreateOrder } from './use-create-order.ts';
import { useQuote } from './use-quote.ts';

interface Draft {
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
  ...{ shipsElsewhere: false, shippingMethod: '', payment: 'Q', notes: '', adminNotes: '' },
};

/** Whether the form is as it was opened. */
const isBlank = (draft: Draft): boolean => isSame(draft, NEW);

/** Only for a quote: the store requires an address, which may not have been entered yet. */
const NO_EMAIL = 'quote@example.com';

function inputOf(draft: Draft): OrderInput {
  const billing = addressInput(draft.billing);
  const shipping = draft.shipsElsewhere ? addressInput(draft.shipping) : billing;
  const { shippingMethod } = draft;
  return {
    email: draft.email.trim(),
    items: draft.lines.map(itemInput),
    surcharges: surchargeInputs(draft.surcharges),
    ...(billing ? { billing_address: billing } : {}),
    ...(shipping ? { shipping_address: shipping } : {}),
    ...(draft.customer ? { customer_id: draft.customer.id } : {}),
    ...(shippingMethod.trim() === '' ? {} : { shipping_method_name: shippingMethod.trim() }),
    ...{ notes: draft.notes, admin_notes: draft.adminNotes },
  };
}

export default function OrderCreate() {
  const [draft, setDraft] = useState(NEW);
  const emailField = useRef<HTMLInputElement>(null);
  const translate = useTranslate();
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  const allowLeaving = useLeaveGuard(!isBlank(draft), 'ra.message.unsaved_changes');
  const input = inputOf(draft);
  const quoted = draft.lines.length > 0 ? JSON.stringify({ ...input, email: NO_EMAIL }) : undefined;
  const quote = useQuote('/orders', null, quoted);
  const info = useStoreInfo();
  const { isBusy, errors, create } = useCreateOrder({
    onCreated: allowLeaving,
    onRejected: (found) => found.email && emailField.current?.focus(),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    void create(input, draft.payment === 'P');
  }

  return (
    <>
      <Title title={translate('orders.new')} />
      <RecordToolbar resource="orders" />
      <form onSubmit={submit} noValidate>
        <Box sx={COLUMNS}>
          <Stack spacing={2}>
            <Section title="orders.lines">
              <LinesEditor
                lines={draft.lines}
                onChange={(lines) => change({ lines })}
                quoted={(line) => quote.order?.items[draft.lines.indexOf(line)]}
                currency={quote.order?.currency ?? info?.currency}
              />
            </Section>
            <Section title="orders.surcharges">
              <SurchargesEditor surcharges={draft.surcharges} onChange={(surcharges) => change({ surcharges })} />
            </Section>
            <Contact draft={draft} onChange={change} error={errors.email} emailField={emailField} />
            <Addresses draft={draft} onChange={change} />
          </Stack>
          <Stack spacing={2}>
            <Details draft={draft} onChange={change} order={quote.order} />
            <Card variant="outlined" sx={{ p: 2, position: { lg: 'sticky' }, top: 64 }}>
              <Quote
                order={draft.lines.length > 0 ? quote.order : undefined}
                error={quote.error}
                isEmpty={draft.lines.length === 0}
              />
              <Button
                type="submit"
                variant="contained"
                size="large"
                fullWidth
                loading={isBusy}
                disabled={draft.lines.length === 0}
                sx={{ mt: 2 }}
              >
                {translate('orders.create')}
              </Button>
            </Card>
          </Stack>
        </Box>
      </form>
    </>
  );
}

const COLUMNS = {
  display: 'grid',
  gap: 2,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' },
} as const;

interface QuoteProps {
  readonly order: OrderOutput | undefined;
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
      {error !== null && <Alert severity="error">{errorMessage(error)}</Alert>}
    </Box>
  );
}

interface PartProps {
  readonly draft: Draft;
  onChange(changed: Partial<Draft>): void;
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

  /** Takes the e-mail and the addresses of a customer's address book. Typed addresses remain, those of another customer do not. */
  async function choose(customer: FoundCustomer | null): Promise<void> {
    chosen.current = customer;
    const isTaken = taken.current !== undefined && draft.billing === taken.current;
    taken.current = undefined;
    onChange({
      ...(customer ? { customer, email: customer.login } : { customer }),
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

function Details({ draft, onChange, order }: PartProps & { order: OrderOutput | undefined }) {
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
