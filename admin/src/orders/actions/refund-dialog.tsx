/** Records a refund: which units, how much money, and whether units that were not shipped go back into stock. */
import { Alert, Box, Button, Checkbox, FormControlLabel, TextField, Typography } from '@mui/material';
import type { OrderEditInput, OrderItemOutput } from 'purveyor/client';
import { decimalsOf } from 'purveyor/currencies';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { parseNumber, useDecimalFormat, useFormat } from '../../utils/format.ts';
import { dryRun, useEditPreview } from '../draft/use-quote.ts';
import type { LoadedOrder } from '../load-order.ts';
import { balanceOf, isEnded } from './balance.ts';
import { returnedNotRefunded, shippable, type Units, unshippedIn } from './quantities.ts';
import { exceeds, QuantityFields, useQuantities } from './quantity-fields.tsx';
import { isBackInStock, planRefund, type RefundPlan } from './refund-plan.ts';
import { canceledIn, refundableUnits, refundValue } from './refund-value.ts';
import { paidFor } from './status-effects.ts';
import { StepDialog } from './step-dialog.tsx';
import { type StepCallbacks, useSettle } from './use-settle.ts';
import { ValueParts } from './value-parts.tsx';

interface Props extends StepCallbacks {
  readonly loaded: LoadedOrder;
  /** Proposes what is to be paid back, instead of returned units. */
  readonly paysBack?: boolean;
}

export function RefundDialog({ loaded, paysBack = false, ...callbacks }: Props) {
  const { order, transactions } = loaded;
  const maxOf = (item: OrderItemOutput): number => refundableUnits(item, loaded);
  const items = order.items.filter((item) => maxOf(item) > 0);
  const unitsBy = (count: (item: OrderItemOutput) => number): Units =>
    Object.fromEntries(items.map((item) => [item.id, Math.min(count(item), maxOf(item))]));
  const canceledOf = (item: OrderItemOutput): number => canceledIn(item, item.cancelled_amount, loaded);
  const quantities = useQuantities(
    unitsBy((item) => {
      if (!paysBack) return canceledOf(item) + returnedNotRefunded(item, transactions);
      return isEnded(order) ? maxOf(item) : canceledOf(item);
    }),
  );
  const decimals = decimalsOf(order.currency);
  const formatted = useDecimalFormat(decimals);
  /** Undefined while the amount follows the quantities. */
  const [typed, setTyped] = useState(paysBack ? formatted(balanceOf(loaded).toPayBack) : undefined);
  /** Undefined until the user decides: then all units that were not shipped go back. */
  const [restocks, setRestocks] = useState<boolean>();
  const translate = useTranslate();
  const step = useSettle(loaded, callbacks);
  const { units } = quantities;
  const { paid } = paidFor(order, transactions);
  const proposed = refundValue(loaded, units, decimals);
  const value = typed === undefined ? proposed.value : (parseNumber(typed) ?? 0);
  const planned = (restocks: boolean) => planRefund(loaded, { units, value, restocks, decimals });
  const plan = planned(restocks ?? true);
  const hasUnshipped = planned(true).restockedUnits > 0;
  const edit = plan.canceled.length > 0 ? { change: plan.canceled, prorate: true } : undefined;
  const preview = useEditPreview(order.id, edit);

  const canRestock = !isBackInStock(order) && items.some((item) => shippable(item) > 0);

  function refundAll(): void {
    quantities.setAll(unitsBy(maxOf));
    setTyped(formatted(paid));
  }

  return (
    <StepDialog
      title="orders.action.refund"
      confirm="orders.action.refund"
      step={step}
      isDisabled={
        !(value > 0) || quantities.isInvalid || exceeds(items, units, maxOf) || (edit !== undefined && !preview.isReady)
      }
      onConfirm={() => void step.run(() => sendRefund(loaded, plan, edit))}
      onClose={callbacks.onClose}
    >
      <QuantityFields
        items={items}
        quantities={quantities}
        maxOf={maxOf}
        extra={(item) => <LineNotes item={item} units={units[item.id] ?? 0} loaded={loaded} />}
      />
      <Button size="small" onClick={refundAll} sx={{ my: 1 }}>
        {translate('orders.everything')}
      </Button>
      <TextField
        label={translate('orders.amount')}
        value={typed ?? formatted(value)}
        onChange={({ target }) => setTyped(target.value)}
        onFocus={({ target }) => target.select()}
        helperText={translate('orders.amountHelp', { currency: order.currency })}
        slotProps={{ htmlInput: { inputMode: 'decimal' } }}
      />
      <ValueParts proposed={proposed} currency={order.currency} />
      <RestockCheckbox isPossible={canRestock} isChecked={restocks ?? hasUnshipped} onChange={setRestocks} />
      <Effects
        {...{ plan, loaded, units, value, hasUnshipped }}
        newTotal={edit && preview.isReady ? preview.found?.total : undefined}
      />
      {edit && preview.error && <PreviewError error={preview.error} />}
    </StepDialog>
  );
}

/** Records a payment that is not recorded yet, removes the units from the order, and records the refund. */
async function sendRefund(loaded: LoadedOrder, plan: RefundPlan, edit: OrderEditInput | undefined): Promise<void> {
  const { id } = loaded.order;
  const { unrecorded } = paidFor(loaded.order, loaded.transactions);
  let ifMatch = loaded.etag;
  if (unrecorded > 0) {
    const transaction = { type: 'sale', status: 'S', value: unrecorded } as const;
    ifMatch = (await store.post('/orders/{id}/settle', { id }, { transaction }, { ifMatch })).etag!;
  }
  if (edit) {
    // A refund that the store would reject removes no units.
    await dryRun('/orders/{id}/settle', { id }, plan.settle);
    ifMatch = (await store.post('/orders/{id}/edit', { id }, edit, { ifMatch })).etag!;
  }
  await store.post('/orders/{id}/settle', { id }, plan.settle, { ifMatch });
}

function PreviewError({ error }: { error: unknown }) {
  const errorMessage = useErrorMessage();
  return (
    <Alert severity="error" sx={{ mt: 1 }}>
      {errorMessage(error)}
    </Alert>
  );
}

interface RestockProps {
  readonly isPossible: boolean;
  readonly isChecked: boolean;
  onChange(isChecked: boolean): void;
}

function RestockCheckbox({ isPossible, isChecked, onChange }: RestockProps) {
  const translate = useTranslate();
  return (
    <FormControlLabel
      label={translate('orders.backIntoStock')}
      control={
        <Checkbox
          checked={isPossible && isChecked}
          disabled={!isPossible}
          onChange={(_event, checked) => onChange(checked)}
        />
      }
    />
  );
}

interface LineProps {
  readonly item: OrderItemOutput;
  readonly units: number;
  readonly loaded: LoadedOrder;
}

/** Which of the units an edit has removed, and why no unit of the line goes back into stock. */
function LineNotes({ item, units, loaded }: LineProps) {
  const translate = useTranslate();
  const canceled = canceledIn(item, item.cancelled_amount, loaded);
  const reason = noRestockReason(item, units, loaded);
  const left = refundableUnits(item, loaded) - canceled;
  return (
    <>
      {canceled > 0 && <Note>{translate('orders.orderedAndCanceled', { ordered: left, canceled })}</Note>}
      {reason && <Note>{translate(reason)}</Note>}
    </>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Typography variant="body2" color="textSecondary">
      {children}
    </Typography>
  );
}

function noRestockReason(item: OrderItemOutput, units: number, loaded: LoadedOrder): string | undefined {
  if (isBackInStock(loaded.order)) return 'orders.alreadyBack';
  if (shippable(item) === 0) return item.amount > 0 ? 'orders.allShipped' : undefined;
  const ofOrder = units - canceledIn(item, units, loaded);
  return ofOrder > 0 && unshippedIn(item, ofOrder, loaded.transactions) === 0 ? 'orders.returnDecided' : undefined;
}

function noRestockEffect(loaded: LoadedOrder, units: Units, hasUnshipped: boolean): string {
  const { order } = loaded;
  if (isBackInStock(order)) return 'orders.alreadyBack';
  const refunded = order.items.filter((item) => units[item.id]);
  const areCanceled = refunded.every((item) => canceledIn(item, units[item.id]!, loaded) === units[item.id]);
  if (refunded.length > 0 && areCanceled) return 'orders.canceledBack';
  return hasUnshipped ? 'orders.refundRestocksNone' : 'orders.refundNoneUnshipped';
}

interface EffectsProps {
  readonly plan: RefundPlan;
  readonly loaded: LoadedOrder;
  readonly units: Units;
  readonly value: number;
  /** The refund has units that can go back into stock. */
  readonly hasUnshipped: boolean;
  /** Of the order without the removed units; undefined until the store has calculated it. */
  readonly newTotal: number | undefined;
}

function Effects({ plan, loaded, units, value, hasUnshipped, newTotal }: EffectsProps) {
  const translate = useTranslate();
  const format = useFormat();
  const { order, transactions } = loaded;
  const { paid, unrecorded } = paidFor(order, transactions);
  const staysPaid = value >= paid && plan.settle.payment_status === undefined && !isBackInStock(order);
  return (
    <Box component="ul" sx={{ pl: 2.5, mb: 0 }}>
      <li>
        {plan.restockedUnits === 0
          ? translate(noRestockEffect(loaded, units, hasUnshipped))
          : translate('orders.refundRestocks', { smart_count: plan.restockedUnits })}
      </li>
      <li>{translate('orders.money.refund', { value: format.money(value, order.currency) })}</li>
      {plan.canceled.length > 0 && (
        <li>
          {translate('orders.refundCancels', {
            total: newTotal === undefined ? '…' : format.money(newTotal, order.currency),
          })}
        </li>
      )}
      {plan.settle.payment_status === 'R' && <li>{translate('orders.refundStatus')}</li>}
      {unrecorded > 0 && (
        <li>{translate('orders.refundRecordsPayment', { value: format.money(unrecorded, order.currency) })}</li>
      )}
      {staysPaid && <li>{translate('orders.refundStaysPaid')}</li>}
    </Box>
  );
}
