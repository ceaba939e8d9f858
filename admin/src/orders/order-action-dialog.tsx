/** Shows what an order action does to the statuses, the stock and the payments, and confirms it. */
import {
  Alert,
  Box,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  MenuItem,
  Stack,
  TextField,
} from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { useGetList, useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';
import type { LoadedOrder } from './load-order.ts';
import type { OrderStatuses } from './status-effects.ts';
import { type OrderAction, useOrderAction } from './use-order-action.ts';

interface Props {
  readonly action: OrderAction;
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
  onClose(): void;
}

type ActionState = ReturnType<typeof useOrderAction>;

export function OrderActionDialog({ action, loaded, onDone, onClose }: Props) {
  const state = useOrderAction(action, loaded, { onDone, onClose });
  const translate = useTranslate();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="order-action">
      <DialogTitle id="order-action">{translate(`orders.action.${action}`)}</DialogTitle>
      <DialogContent>
        {action === 'other' && <StatusInputs statuses={state.chosen} onChange={state.setChosen} />}
        <Effects state={state} order={loaded.order} />
        {state.hasMoney && <MoneyInput state={state} currency={loaded.order.currency} />}
        {action === 'ship' && (
          <TextField
            label={translate('orders.trackingOptional')}
            value={state.tracking}
            onChange={({ target }) => state.setTracking(target.value)}
          />
        )}
        {state.problem !== undefined && (
          <Alert severity="error" sx={{ mt: 1 }}>
            {state.problem}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('button.close')}</Button>
        <Button
          variant="contained"
          color={action === 'cancel' ? 'error' : 'primary'}
          loading={state.isBusy}
          disabled={state.hasNoEffect}
          onClick={() => void state.confirm()}
        >
          {translate(`orders.action.${action}`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Effects({ state: { before, after, stockChange, money }, order }: { state: ActionState; order: OrderOutput }) {
  const translate = useTranslate();
  const format = useFormat();
  const quantity = order.items.reduce((sum, { amount }) => sum + amount, 0);
  return (
    <Box component="ul" sx={{ pl: 2.5, mt: 0 }}>
      <StatusChange field="payment" before={before} after={after} />
      <StatusChange field="shipping" before={before} after={after} />
      <li>{translate(`orders.stockChange.${stockChange}`, { smart_count: quantity })}</li>
      <li>
        {money
          ? translate(`orders.money.${money.type}`, { value: format.money(money.value, order.currency) })
          : translate('orders.money.none')}
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
          label={`${translate('orders.transaction.value')} (${currency})`}
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
  const statuses = useStatuses(field);
  const nameOf = (code: string) => statuses.find((status) => status.code === code)?.name ?? code;
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
  const choices = { payment: useStatuses('payment'), shipping: useStatuses('shipping') };
  return (
    <Stack spacing={1} sx={{ mb: 2 }}>
      {(['payment', 'shipping'] as const).map((field) => (
        <TextField
          key={field}
          select
          label={translate(`field.${field}_status`)}
          // MUI warns about a value that is not among the choices.
          value={choices[field].length === 0 ? '' : statuses[field]}
          onChange={({ target }) => onChange({ ...statuses, [field]: target.value })}
        >
          {choices[field].map(({ id, code, name }) => (
            <MenuItem key={id} value={code}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      ))}
    </Stack>
  );
}
