/** Records a refund: which units, how much money, and whether units that were not shipped go back into stock. */
import { Box, Button, Checkbox, FormControlLabel, TextField, Typography } from '@mui/material';
import type { OrderItemOutput } from 'purveyor/client';
import { decimalsOf } from 'purveyor/currencies';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { parseNumber, useDecimalFormat, useFormat } from '../../utils/format.ts';
import type { LoadedOrder } from '../load-order.ts';
import { refundable, returnedNotRefunded, shippable, type Units, unshippedIn } from './quantities.ts';
import { exceeds, QuantityFields, useQuantities } from './quantity-fields.tsx';
import { isBackInStock, planRefund, type RefundPlan, suggestedValue } from './refund-plan.ts';
import { paidFor } from './status-effects.ts';
import { StepDialog } from './step-dialog.tsx';
import { type StepCallbacks, useSettle } from './use-settle.ts';

export function RefundDialog({ loaded, ...callbacks }: { loaded: LoadedOrder } & StepCallbacks) {
  const { order, transactions } = loaded;
  const items = order.items.filter((item) => refundable(item, transactions) > 0);
  const unitsBy = (count: (item: (typeof items)[number]) => number): Units =>
    Object.fromEntries(items.map((item) => [item.id, count(item)]));
  const quantities = useQuantities(unitsBy((item) => returnedNotRefunded(item, transactions)));
  /** Undefined while the amount follows the quantities. */
  const [typed, setTyped] = useState<string>();
  /** Undefined until the user decides: then all units that were not shipped go back. */
  const [restocks, setRestocks] = useState<boolean>();
  const translate = useTranslate();
  const decimals = decimalsOf(order.currency);
  const formatted = useDecimalFormat(decimals);
  const step = useSettle(loaded, callbacks);
  const { units } = quantities;
  const maxOf = (item: OrderItemOutput): number => refundable(item, transactions);
  const { paid, unrecorded } = paidFor(order, transactions);
  const value = typed === undefined ? suggestedValue(loaded, units, decimals) : (parseNumber(typed) ?? 0);
  const planned = (restocks: boolean) => planRefund(loaded, { units, value, restocks, decimals });
  const plan = planned(restocks ?? true);
  const hasUnshipped = planned(true).restockedUnits > 0;

  const canRestock = !isBackInStock(order) && items.some((item) => shippable(item) > 0);

  async function send(): Promise<void> {
    const { id } = order;
    let ifMatch = loaded.etag;
    if (unrecorded > 0) {
      const transaction = { type: 'sale', status: 'S', value: unrecorded } as const;
      ifMatch = (await store.post('/orders/{id}/settle', { id }, { transaction }, { ifMatch })).etag!;
    }
    if (plan.canceled.length > 0) {
      const edited = await store.post('/orders/{id}/edit', { id }, { change: plan.canceled }, { ifMatch });
      ifMatch = edited.etag!;
    }
    await store.post('/orders/{id}/settle', { id }, plan.settle, { ifMatch });
  }

  function refundAll(): void {
    quantities.setAll(unitsBy((item) => refundable(item, transactions)));
    setTyped(formatted(paid));
  }

  return (
    <StepDialog
      title="orders.action.refund"
      confirm="orders.action.refund"
      step={step}
      isDisabled={!(value > 0) || quantities.isInvalid || exceeds(items, units, maxOf)}
      onConfirm={() => void step.run(send)}
      onClose={callbacks.onClose}
    >
      <QuantityFields
        items={items}
        quantities={quantities}
        maxOf={maxOf}
        extra={(item) => <NoRestockReason item={item} units={units[item.id] ?? 0} loaded={loaded} />}
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
      <RestockCheckbox isPossible={canRestock} isChecked={restocks ?? hasUnshipped} onChange={setRestocks} />
      <Effects plan={plan} loaded={loaded} value={value} hasUnshipped={hasUnshipped} />
    </StepDialog>
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

/** Why no unit of a line goes back into stock; empty if the user decides. */
function NoRestockReason({ item, units, loaded }: { item: OrderItemOutput; units: number; loaded: LoadedOrder }) {
  const translate = useTranslate();
  const reason = noRestockReason(item, units, loaded);
  return (
    reason && (
      <Typography variant="body2" color="textSecondary">
        {translate(reason)}
      </Typography>
    )
  );
}

function noRestockReason(
  item: OrderItemOutput,
  units: number,
  { order, transactions }: LoadedOrder,
): string | undefined {
  if (isBackInStock(order)) return 'orders.alreadyBack';
  if (shippable(item) === 0) return 'orders.allShipped';
  return units > 0 && unshippedIn(item, units, transactions) === 0 ? 'orders.returnDecided' : undefined;
}

function noRestockEffect(order: LoadedOrder['order'], hasUnshipped: boolean): string {
  if (isBackInStock(order)) return 'orders.alreadyBack';
  return hasUnshipped ? 'orders.refundRestocksNone' : 'orders.refundNoneUnshipped';
}

interface EffectsProps {
  readonly plan: RefundPlan;
  readonly loaded: LoadedOrder;
  readonly value: number;
  /** The refund has units that can go back into stock. */
  readonly hasUnshipped: boolean;
}

function Effects({ plan, loaded, value, hasUnshipped }: EffectsProps) {
  const translate = useTranslate();
  const format = useFormat();
  const { order, transactions } = loaded;
  const { paid, unrecorded } = paidFor(order, transactions);
  const staysPaid = value >= paid && plan.settle.payment_status === undefined && !isBackInStock(order);
  return (
    <Box component="ul" sx={{ pl: 2.5, mb: 0 }}>
      <li>
        {plan.restockedUnits === 0
          ? translate(noRestockEffect(order, hasUnshipped))
          : translate('orders.refundRestocks', { smart_count: plan.restockedUnits })}
      </li>
      <li>{translate('orders.money.refund', { value: format.money(value, order.currency) })}</li>
      {plan.canceled.length > 0 && <li>{translate('orders.refundCancels')}</li>}
      {plan.settle.payment_status === 'R' && <li>{translate('orders.refundStatus')}</li>}
      {unrecorded > 0 && (
        <li>{translate('orders.refundRecordsPayment', { value: format.money(unrecorded, order.currency) })}</li>
      )}
      {staysPaid && <li>{translate('orders.refundStaysPaid')}</li>}
    </Box>
  );
}
