/** Edits the lines, prices and surcharges of an order. The store checks every change and shows the new total before it is saved. */
import { Alert, Box, Dialog, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type OrderCalculationOutput, type OrderEditInput, StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { parseNumber, useDecimalFormat } from '../../utils/format.ts';
import { StepDialog } from '../actions/step-dialog.tsx';
import { type StepCallbacks, useSettle } from '../actions/use-settle.ts';
import type { LoadedOrder } from '../load-order.ts';
import { Totals } from '../order-items.tsx';
import {
  type DraftLine,
  type DraftSurcharge,
  draftCharge,
  draftSurcharge,
  itemInput,
  surchargeInputs,
} from './draft.ts';
import { LinesEditor } from './lines-editor.tsx';
import { SurchargesEditor } from './surcharges-editor.tsx';
import { useEditPreview } from './use-quote.ts';

interface Props extends StepCallbacks {
  readonly loaded: LoadedOrder;
}

export function EditItemsDialog(props: Props) {
  const { id } = props.loaded.order;
  const errorMessage = useErrorMessage();
  const { data, error } = useQuery({
    queryKey: ['calculation', id, props.loaded.etag],
    queryFn: () => readCalculation(id),
    gcTime: 0,
  });
  if (error)
    return (
      <Dialog open onClose={props.onClose}>
        <Alert severity="error">{errorMessage(error)}</Alert>
      </Dialog>
    );
  return data && <EditItems {...props} calculation={data.calculation} />;
}

/** @returns a null `calculation` if the order has none, or if the session may not use it */
async function readCalculation(id: number): Promise<{ readonly calculation: OrderCalculationOutput | null }> {
  try {
    return { calculation: (await store.get('/orders/{id}/calculation', { id })).data };
  } catch (error) {
    if (error instanceof StoreProblem && [403, 404].includes(error.status)) return { calculation: null };
    throw error;
  }
}

function EditItems({
  loaded,
  calculation,
  ...callbacks
}: Props & { readonly calculation: OrderCalculationOutput | null }) {
  const { order } = loaded;
  const decimal = useDecimalFormat(4);
  const [lines, setLines] = useState<readonly DraftLine[]>(() =>
    order.items.map((item) => ({
      ...{ key: `${item.id}`, item, product_id: item.product_id, name: item.name, sku: item.sku },
      ...{ variants: [], variant: item.variant, choices: [] },
      ...{ amount: `${item.amount}`, price: decimal(item.price) },
    })),
  );
  const [initial] = useState<readonly DraftSurcharge[]>(() =>
    calculation
      ? calculation.result.charges.map((one) => draftCharge(one, decimal))
      : order.surcharges.map((one) => draftSurcharge(one, decimal)),
  );
  const [surcharges, setSurcharges] = useState(initial);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const step = useSettle(loaded, callbacks);
  const changes = changesOf(lines);
  const changed: OrderEditInput = {
    ...changes,
    ...(surcharges === initial ? {} : { surcharges: surchargeInputs(surcharges, translate) }),
  };
  const isChanged = Object.keys(changed).length > 0;
  const isCalculated = calculation !== null;
  const body: OrderEditInput = { ...changed, ...(isCalculated ? { calculate: true } : {}) };
  const preview = useEditPreview(order.id, isChanged ? body : undefined);
  const shown = (isChanged ? preview.found : undefined) ?? order;
  const added = lines.filter(({ item }) => !item);

  return (
    <StepDialog
      title="orders.action.edit"
      confirm="button.save"
      step={step}
      maxWidth="md"
      isDisabled={!isChanged || !preview.isCurrent || preview.error !== null}
      onConfirm={() =>
        void step.run(() => {
          const sent = { ...body, ...(isCalculated ? { expected_total: shown.total } : {}) };
          return store.post('/orders/{id}/edit', { id: order.id }, sent, { ifMatch: loaded.etag });
        })
      }
      onClose={callbacks.onClose}
    >
      <LinesEditor
        lines={lines}
        onChange={setLines}
        quoted={(line) =>
          line.item
            ? shown.items.find(({ id }) => id === line.item!.id)
            : shown.items.slice(order.items.length)[added.indexOf(line)]
        }
        currency={order.currency}
      />
      <Typography variant="h6" component="h3" sx={{ mt: 2 }}>
        {translate(isCalculated ? 'orders.charges' : 'orders.surcharges')}
      </Typography>
      <SurchargesEditor surcharges={surcharges} onChange={setSurcharges} isCalculated={isCalculated} />
      <Totals order={shown} />
      <Box role="status">
        {preview.error && (
          <Alert severity="error" sx={{ mt: 1 }}>
            {preview.error instanceof StoreProblem ? errorMessage(preview.error) : String(preview.error)}
          </Alert>
        )}
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {translate('orders.editHelp')} {isCalculated && translate('orders.editCalculated')}
      </Typography>
    </StepDialog>
  );
}

/** Returns only what differs from the order. A text that is not a number is sent as null, which the store rejects with a reason. */
function changesOf(lines: readonly DraftLine[]): Pick<OrderEditInput, 'add' | 'change'> {
  const change = lines.flatMap(({ item, amount, price }) => {
    if (!item) return [];
    const [units, unitPrice] = [parseNumber(amount) ?? Number.NaN, parseNumber(price) ?? Number.NaN];
    const changed = {
      ...(units === item.amount ? {} : { amount: units }),
      ...(unitPrice === item.price ? {} : { price: unitPrice }),
    };
    return Object.keys(changed).length === 0 ? [] : [{ item_id: item.id, ...changed }];
  });
  const add = lines.filter(({ item }) => !item).map(itemInput);
  return { ...(change.length > 0 ? { change } : {}), ...(add.length > 0 ? { add } : {}) };
}
