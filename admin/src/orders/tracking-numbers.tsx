/** Numbers by which a parcel is followed. Done at once. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Button, IconButton, List, ListItem, ListItemText, Stack, TextField } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { useWriter } from '../parts/money.ts';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';

export function TrackingNumbers({ order, onDone }: { order: OrderOutput; onDone(): Promise<void> }) {
  const [value, setValue] = useState('');
  const translate = useTranslate();
  const writer = useWriter();
  const act = useAct();
  const mayWrite = useMayWrite();
  const order_id = order.id;

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isDone = await act.run(() =>
      store.post('/orders/{order_id}/tracking_numbers', { order_id }, { value: value.trim() }),
    );
    if (isDone) setValue('');
    await onDone();
  }

  async function remove(tracking_id: number): Promise<void> {
    await act.run(() => store.delete('/orders/{order_id}/tracking_numbers/{tracking_id}', { order_id, tracking_id }));
    await onDone();
  }

  return (
    <>
      <List dense disablePadding>
        {order.tracking_numbers.map((one) => (
          <ListItem
            key={one.id}
            disableGutters
            secondaryAction={
              mayWrite && (
                <IconButton
                  edge="end"
                  onClick={() => void remove(one.id)}
                  aria-label={`${translate('button.delete')}: ${one.value}`}
                >
                  <DeleteIcon fontSize="small" />
                </IconButton>
              )
            }
          >
            <ListItemText primary={one.value} secondary={writer.moment(one.date)} sx={{ overflowWrap: 'anywhere' }} />
          </ListItem>
        ))}
      </List>
      {mayWrite && (
        <form onSubmit={add}>
          <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
            <TextField
              label={translate('orders.newTracking')}
              value={value}
              onChange={({ target }) => setValue(target.value)}
            />
            <Button type="submit" disabled={value.trim() === ''} loading={act.isBusy}>
              {translate('button.add')}
            </Button>
          </Stack>
        </form>
      )}
    </>
  );
}
