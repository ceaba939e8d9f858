/** Shows what a change of an order's statuses does to the stock and the payments, and confirms it. */
import { Box, Checkbox, FormControlLabel, MenuItem, Stack, TextField } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { useGetList, useTranslate } from 'react-admin';
import { useFormat } from '../../utils/format.ts';
import type { LoadedOrder } from '../load-order.ts';
import { useStatusName } from '../statuses.ts';
import { balanceOf } from './balance.ts';
import type { OrderStatuses } from './status-effects.ts';
import { StepDialog } from './step-dialog.tsx';
import { type StatusAction, statusesOf, useOrderAction } from './use-order-action.ts';
import type { StepCallbacks } from './use-settle.ts';

type ActionState = ReturnType<typeof useOrderAction>;

/** The message key of a step. A paid order with a balance only gets a payment. */
export function titleOf(action: string, loaded: LoadedOrder): string {
  const isBalance = action === 'pay' && statusesOf(loaded).payment === 'P' && balanceOf(loaded).due > 0;
  return isBalance ? 'orders.recordBalance.due' : `orders.action.${action}`;
}

export function OrderActionDialog({
  action,
  loaded,
  ...callbacks
}: { action: StatusAction; loaded: LoadedOrder } & StepCallbacks) {
  const state = useOrderAction(action, loaded, callbacks);
  const title = titleOf(action, loaded);
  return (
    <StepDialog
      title={title}
      confirm={title}
      step={state.step}
      isDisabled={state.hasNoEffect}
      isDestructive={action === 'cancel'}
      onConfirm={() => void state.confirm()}
      onClose={callbacks.onClose}
    >
      {action === 'other' && <StatusInputs statuses={state.after} onChange={state.setAfter} />}
      <Effects state={state} order={loaded.order} />
      {state.hasMoney && <MoneyInput state={state} currency={loaded.order.currency} />}
    </StepDialog>
  );
}

function Effects({
  state: { before, after, stockChange, payment },
  order,
}: {
  state: ActionState;
  order: OrderOutput;
}) {
  const translate = useTranslate();
  const format = useFormat();
  const quantity = order.items.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <Box component="ul" sx={{ pl: 2.5, mt: 0 }}>
      <StatusChange field="payment" before={before} after={after} />
      <StatusChange field="shipping" before={before} after={after} />
      <li>{translate(`orders.stockChange.${stockChange}`, { smart_count: quantity })}</li>
      <li>
        {payment === undefined
          ? translate('orders.money.none')
          : translate('orders.money.sale', { value: format.money(payment, order.currency) })}
      </li>
    </Box>
  );
}

function MoneyInput({ state, currency }: { state: ActionState; currency: string }) {
  const translate = useTranslate();
  return (
    <>
      <FormControlLabel
        control={<Checkbox checked={state.recordsMoney} onChange={(_event, isSet) => state.setRecordsMoney(isSet)} />}
        label={translate('orders.recordMoney')}
      />
      {state.recordsMoney && (
        <TextField
          label={`${translate('orders.amount')} (${currency})`}
          value={state.typedAmount}
          onChange={({ target }) => state.setTypedAmount(target.value)}
          slotProps={{ htmlInput: { inputMode: 'decimal' } }}
        />
      )}
    </>
  );
}

type StatusField = keyof OrderStatuses;

function useStatuses(field: StatusField) {
  const { data } = useGetList(`${field}_statuses`, {
    pagination: { page: 1, perPage: 100 },
    sort: { field: 'id', order: 'ASC' },
  });
  return (data ?? []) as { id: number; code: string; name: string }[];
}

function StatusChange({ field, before, after }: { field: StatusField; before: OrderStatuses; after: OrderStatuses }) {
  const translate = useTranslate();
  const statusName = useStatusName();
  const statuses = useStatuses(field);
  const nameOf = (code: string) =>
    statusName(
      field,
      statuses.find((status) => status.code === code),
    ) || code;
  if (before[field] === after[field]) return null;
  return (
    <li>
      {translate(`field.${field}_status`)}: {nameOf(before[field])} → <strong>{nameOf(after[field])}</strong>
    </li>
  );
}

interface StatusInputsProps {
  readonly statuses: OrderStatuses;
  onChange(statuses: OrderStatuses): void;
}

function StatusInputs({ statuses, onChange }: StatusInputsProps) {
  const translate = useTranslate();
  const nameOf = useStatusName();
  const choices = { payment: useStatuses('payment'), shipping: useStatuses('shipping') };
  return (
    // Room for the label above the first field.
    <Stack spacing={1} sx={{ mb: 2, pt: 1 }}>
      {(['payment', 'shipping'] as const).map((field) => (
        <TextField
          key={field}
          select
          label={translate(`field.${field}_status`)}
          // MUI warns about a value that is not among the choices.
          value={choices[field].length === 0 ? '' : statuses[field]}
          onChange={({ target }) => onChange({ ...statuses, [field]: target.value })}
        >
          {choices[field].map((status) => (
            <MenuItem key={status.id} value={status.code}>
              {nameOf(field, status)}
            </MenuItem>
          ))}
        </TextField>
      ))}
    </Stack>
  );
}
