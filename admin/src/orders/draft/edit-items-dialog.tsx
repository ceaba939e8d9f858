/** Edits the lines, prices and surcharges of an order. The store checks every change and shows the new total before it is saved. */
import { Alert, Box, Typography } from '@mui/material';
import { type OrderEditInput, StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { parseNumber, useDecimalFormat } from '../../utils/format.ts';
import { StepDialog } from '../actions/step-dialog.tsx';
import { type StepCallbacks, useSettle } from '../actions/use-settle.ts';
import type { LoadedOrder } from '../load-order.ts';
import { Totals } from '../order-items.tsx';
import { type DraftLine, type DraftSurcharge, draftSurcharge, itemInput, surchargeInputs } from './draft.ts';
import { LinesEditor } from './lines-editor.tsx';
import { SurchargesEditor } from './surcharges-editor.tsx';
import { useQuote } from './use-quote.ts';

export function EditItemsDialog({ loaded, ...callbacks }: { loaded: LoadedOrder } & StepCallbacks) {
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
    order.surcharges.map((one) => draftSurcharge(one, decimal)),
  );
  const [surcharges, setSurcharges] = useState(initial);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const step = useSettle(loaded, callbacks);
  const changes = changesOf(lines);
  const body: OrderEditInput = {
    ...changes,
    ...(surcharges === initial ? {} : { surcharges: surchargeInputs(surcharges) }),
  };
  const isChanged = Object.keys(body).length > 0;
  const preview = useQuote('/orders/{id}/edit', order.id, isChanged ? JSON.stringify(body) : undefined);
  const shown = (isChanged ? preview.order : undefined) ?? order;
  const added = lines.filter(({ item }) => !item);

  return (
    <StepDialog
      title="orders.action.edit"
      confirm="button.save"
      step={step}
      maxWidth="md"
      isDisabled={!isChanged || !preview.isCurrent || preview.error !== null}
      onConfirm={() =>
        void step.run(() => store.post('/orders/{id}/edit', { id: order.id }, body, { ifMatch: loaded.etag }))
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
        {translate('orders.surcharges')}
      </Typography>
      <SurchargesEditor surcharges={surcharges} onChange={setSurcharges} />
      <Totals order={shown} />
      <Box role="status">
        {preview.error && (
          <Alert severity="error" sx={{ mt: 1 }}>
            {preview.error instanceof StoreProblem ? errorMessage(preview.error) : String(preview.error)}
          </Alert>
        )}
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {translate('orders.editHelp')}
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
