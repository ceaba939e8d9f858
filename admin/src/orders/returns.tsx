/** The returns of an order. A requested return is received or rejected here. */
import { Box, Button, Chip, Stack, Typography } from '@mui/material';
import type { OrderReturnOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import type { LoadedOrder } from './load-order.ts';
import { numberOf, unitsText } from './order-history.tsx';

interface Props {
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
}

export function Returns({ loaded, onDone }: Props) {
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction();
  const mayWrite = useMayWrite();
  const { order, returns } = loaded;

  async function decide({ id }: OrderReturnOutput, status: 'received' | 'refused'): Promise<void> {
    await action.run(() =>
      store.patch('/orders/{order_id}/returns/{return_id}', { order_id: order.id, return_id: id }, { status }),
    );
    await onDone();
  }

  if (returns.length === 0) return <Typography color="textSecondary">{translate('orders.noReturns')}</Typography>;
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {returns.map((one) => {
        const name = translate('orders.return', { number: numberOf(loaded, 'return', one.id) });
        const restocked = one.lines.filter(({ restock }) => restock);
        const reasons = [...new Set(one.lines.map(({ reason }) => reason).filter(Boolean))];
        return (
          <Box key={one.id} component="li" sx={{ py: 1, borderBottom: 1, borderColor: 'divider' }}>
            <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
              <Typography sx={{ fontWeight: 600 }}>
                {name} · {format.dateTime(one.date)}
              </Typography>
              <Chip size="small" variant="outlined" label={translate(`orders.returnStatus.${one.status}`)} />
            </Stack>
            <Typography sx={{ overflowWrap: 'anywhere' }}>{unitsText(order, one.lines)}</Typography>
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {restocked.length === 0
                ? translate('orders.notRestocked')
                : translate('orders.restocked', { lines: unitsText(order, restocked) })}
              {reasons.length > 0 && ` · ${reasons.join(', ')}`}
            </Typography>
            {mayWrite && one.status === 'requested' && (
              <Stack direction="row" spacing={1}>
                {(['received', 'refused'] as const).map((status) => (
                  <Button
                    key={status}
                    size="small"
                    loading={action.isBusy}
                    onClick={() => void decide(one, status)}
                    aria-label={`${translate(`orders.returnDecision.${status}`)}: ${name}`}
                  >
                    {translate(`orders.returnDecision.${status}`)}
                  </Button>
                ))}
              </Stack>
            )}
          </Box>
        );
      })}
    </Box>
  );
}
