/**
 * The steps of an order: pay, ship, return, refund, cancel, or any other pair of statuses. Each first says what it does to the
 * statuses, the stock and the money, and is refused when the order is not as it was shown.
 */
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
import { useState } from 'react';
import { useGetList, useNotify, useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { useWriter } from '../parts/money.ts';
import { numberIn, useDecimals } from '../parts/number-cell.tsx';
import { useSentence } from '../parts/sentence.ts';
import { moneyHeld, moveOf, type Pair } from './effects.ts';
import type { LoadedOrder } from './show.tsx';
import { OrderMoved, takeStep } from './take-step.ts';

type Step = 'pay' | 'ship' | 'return' | 'refund' | 'cancel' | 'other';

interface Props {
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
}

/** The statuses after each step; left out, a status stays. */
const AFTER: Readonly<Record<Exclude<Step, 'other'>, Partial<Pair>>> = {
  pay: { payment: 'P' },
  ship: { shipping: 'S' },
  return: { shipping: 'R' },
  refund: { payment: 'R' },
  cancel: { payment: 'C', shipping: 'WND' },
};

export function Actions({ loaded, onDone }: Props) {
  const [step, setStep] = useState<Step>();
  const translate = useTranslate();
  const { payment, shipping } = pairOf(loaded);
  const isPaid = payment === 'P' || payment === 'PP';
  const isGone = shipping === 'S' || shipping === 'D';
  const isOver = payment === 'C' || payment === 'R' || payment === 'D';
  if (!useMayWrite()) return null;
  const offered: readonly [Step, boolean][] = [
    ['pay', payment !== 'P' && !isOver],
    ['ship', !isGone && !isOver && shipping !== 'R' && shipping !== 'WND'],
    ['return', isGone],
    ['refund', isPaid],
    ['cancel', !isOver && !isGone],
    ['other', true],
  ];
  const [first] = offered.find(([, isOffered]) => isOffered)!;
  return (
    <>
      <Stack direction="row" spacing={1} useFlexGap className="no-print" sx={{ mt: 2, flexWrap: 'wrap' }}>
        {offered.map(
          ([name, isOffered]) =>
            isOffered && (
              <Button
                key={name}
                variant={name === first ? 'contained' : 'outlined'}
                color={name === 'cancel' ? 'error' : 'primary'}
                onClick={() => setStep(name)}
              >
                {translate(`orders.action.${name}`)}
              </Button>
            ),
        )}
      </Stack>
      {step && <StepDialog step={step} loaded={loaded} onDone={onDone} onClose={() => setStep(undefined)} />}
    </>
  );
}

const pairOf = ({ order }: LoadedOrder): Pair => ({
  payment: order.payment_status?.code ?? '',
  shipping: order.shipping_status?.code ?? '',
});

function StepDialog({ step, loaded, onDone, onClose }: Props & { step: Step; onClose(): void }) {
  const { order, transactions } = loaded;
  const before = pairOf(loaded);
  const translate = useTranslate();
  const notify = useNotify();
  const sentence = useSentence();
  const writer = useWriter();
  const write = useDecimals(4);
  const held = moneyHeld(transactions);
  const due = Math.max(0, Math.round((order.total - held) * 10_000) / 10_000);
  const [chosen, setChosen] = useState<Pair>({ ...before, ...(step === 'other' ? {} : AFTER[step]) });
  const hasMoney = step === 'pay' ? due > 0 : step === 'refund' && held > 0;
  const [doesRecord, setRecord] = useState(hasMoney);
  const [typed, setTyped] = useState(write(step === 'pay' ? due : held));
  const [tracking, setTracking] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const value = numberIn(typed);
  const records = doesRecord && hasMoney && value !== undefined && value > 0;
  // An order of which a part was given back is still paid.
  const after = step === 'refund' && records && value < held ? before : chosen;
  const move = moveOf(before, after, order.stock_status === 'reduced');

  async function take(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await takeStep(order.id, before, after, {
        ...(records ? { money: { type: step === 'refund' ? 'refund' : 'sale', value } } : {}),
        ...(tracking.trim() === '' ? {} : { tracking: tracking.trim() }),
      });
      notify('state.saved', { type: 'success' });
      onClose();
    } catch (error) {
      setProblem(
        error instanceof OrderMoved ? translate('orders.statusConflict', { status: error.now }) : sentence(error),
      );
    } finally {
      setBusy(false);
      await onDone();
    }
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="step">
      <DialogTitle id="step">{translate(`orders.action.${step}`)}</DialogTitle>
      <DialogContent>
        {step === 'other' && <ChooseStatuses pair={chosen} onChange={setChosen} />}
        <Box component="ul" sx={{ pl: 2.5, mt: 0 }}>
          <Change field="payment" before={before} after={after} />
          <Change field="shipping" before={before} after={after} />
          <li>{translate(`orders.stockChange.${move}`, { smart_count: pieces(loaded) })}</li>
          <li>
            {records
              ? translate(step === 'refund' ? 'orders.money.refund' : 'orders.money.sale', {
                  value: writer.money(value, order.currency),
                })
              : translate('orders.money.none')}
          </li>
        </Box>
        {hasMoney && (
          <>
            <FormControlLabel
              control={<Checkbox checked={doesRecord} onChange={(_event, isSet) => setRecord(isSet)} />}
              label={translate('orders.recordMoney')}
            />
            {doesRecord && (
              <TextField
                label={`${translate('orders.transaction.value')} (${order.currency})`}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                slotProps={{ htmlInput: { inputMode: 'decimal' } }}
              />
            )}
          </>
        )}
        {step === 'ship' && (
          <TextField
            label={translate('orders.trackingOptional')}
            value={tracking}
            onChange={({ target }) => setTracking(target.value)}
          />
        )}
        {problem !== undefined && (
          <Alert severity="error" sx={{ mt: 1 }}>
            {problem}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('button.close')}</Button>
        <Button
          variant="contained"
          color={step === 'cancel' ? 'error' : 'primary'}
          loading={isBusy}
          disabled={step === 'other' && before.payment === after.payment && before.shipping === after.shipping}
          onClick={() => void take()}
        >
          {translate(`orders.action.${step}`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const pieces = ({ order }: LoadedOrder): number => order.items.reduce((sum, { amount }) => sum + amount, 0);

function useStatuses(field: 'payment' | 'shipping') {
  const { data } = useGetList(`${field}_statuses`, {
    pagination: { page: 1, perPage: 100 },
    sort: { field: 'id', order: 'ASC' },
  });
  return (data ?? []) as { id: number; code: string; name: string }[];
}

function Change({ field, before, after }: { field: 'payment' | 'shipping'; before: Pair; after: Pair }) {
  const translate = useTranslate();
  const statuses = useStatuses(field);
  const nameOf = (code: string) => statuses.find((one) => one.code === code)?.name ?? code;
  if (before[field] === after[field]) return null;
  return (
    <li>
      {translate(`field.${field}_status`)}: {nameOf(before[field])} → <strong>{nameOf(after[field])}</strong>
    </li>
  );
}

function ChooseStatuses({ pair, onChange }: { pair: Pair; onChange(pair: Pair): void }) {
  const translate = useTranslate();
  const statuses = { payment: useStatuses('payment'), shipping: useStatuses('shipping') };
  return (
    <Stack spacing={1} sx={{ mb: 2 }}>
      {(['payment', 'shipping'] as const).map((field) => (
        <TextField
          key={field}
          select
          label={translate(`field.${field}_status`)}
          value={statuses[field].length === 0 ? '' : pair[field]}
          onChange={({ target }) => onChange({ ...pair, [field]: target.value })}
        >
          {statuses[field].map(({ id, code, name }) => (
            <MenuItem key={id} value={code}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      ))}
    </Stack>
  );
}
