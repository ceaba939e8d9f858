/** Records a refund: which units, how much money, and whether units that were not shipped go back into stock. */
import { Box, Button, Checkbox, FormControlLabel, TextField, Typography } from '@mui/material';
import type { OrderItemOutput } from 'purveyor/client';
import { decimalsOf } from 'purveyor/currencies';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { parseNumber, useDecimalFormat, useFormat } from '../../utils/format.ts';
import type { LoadedOrder } from '../load-order.ts';
import { lineName } from '../order-history.tsx';
import { refundable, returnedNotRefunded, shippable, type Units, unshippedIn } from './quantities.ts';
import { QuantityFields, useQuantities } from './quantity-fields.tsx';
import { planRefund, type RefundPlan, suggestedValue } from './refund-plan.ts';
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
  /** The lines whose units are not put back into stock. */
  const [writtenOff, setWrittenOff] = useState<ReadonlySet<number>>(new Set());
  const translate = useTranslate();
  const decimals = decimalsOf(order.currency);
  const formatted = useDecimalFormat(decimals);
  const step = useSettle(loaded, callbacks);
  const { units } = quantities;
  const { paid, unrecorded } = paidFor(order, transactions);
  const value = typed === undefined ? suggestedValue(loaded, units, decimals) : (parseNumber(typed) ?? 0);
  const plan = planRefund(loaded, { units, value, restocks: (id) => !writtenOff.has(id), decimals });

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
      isDisabled={!(value > 0) || quantities.isInvalid}
      onConfirm={() => void step.run(send)}
      onClose={callbacks.onClose}
    >
      <QuantityFields
        items={items}
        quantities={quantities}
        maxOf={(item) => refundable(item, transactions)}
        extra={(item) => (
          <Restock
            item={item}
            isOnly={items.length === 1}
            isChecked={!writtenOff.has(item.id)}
            isDecided={(units[item.id] ?? 0) > 0 && unshippedIn(item, units[item.id]!, transactions) === 0}
            onToggle={() => setWrittenOff(toggled(writtenOff, item.id))}
          />
        )}
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
      <Effects plan={plan} loaded={loaded} value={value} />
    </StepDialog>
  );
}

function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

interface RestockProps {
  readonly item: OrderItemOutput;
  /** It is the only line of the dialog. */
  readonly isOnly: boolean;
  readonly isChecked: boolean;
  /** The units of this refund were returned before. */
  readonly isDecided: boolean;
  onToggle(): void;
}

/** Whether units of a line that were not shipped go back into stock. Shipped units need a return. */
function Restock({ item, isOnly, isChecked, isDecided, onToggle }: RestockProps) {
  const translate = useTranslate();
  const isShipped = shippable(item) === 0;
  const reason = isShipped ? 'orders.allShipped' : isDecided ? 'orders.returnDecided' : undefined;
  return (
    <>
      <FormControlLabel
        control={
          <Checkbox
            checked={isChecked && !isShipped}
            disabled={isShipped}
            onChange={onToggle}
            aria-describedby={reason && `restock-${item.id}`}
          />
        }
        label={
          isOnly ? translate('orders.backIntoStock') : translate('orders.backIntoStockOf', { name: lineName(item) })
        }
      />
      {reason && (
        <Typography id={`restock-${item.id}`} variant="body2" color="textSecondary">
          {translate(reason)}
        </Typography>
      )}
    </>
  );
}

function Effects({ plan, loaded, value }: { plan: RefundPlan; loaded: LoadedOrder; value: number }) {
  const translate = useTranslate();
  const format = useFormat();
  const { order, transactions } = loaded;
  const { paid, unrecorded } = paidFor(order, transactions);
  const staysPaid = value >= paid && plan.settle.payment_status === undefined;
  return (
    <Box component="ul" sx={{ pl: 2.5, mb: 0 }}>
      <li>
        {plan.restockedUnits === 0
          ? translate('orders.refundRestocksNone')
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
