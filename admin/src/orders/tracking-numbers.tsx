/** The tracking numbers of an order. Changes are saved immediately. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Button, IconButton, List, ListItem, ListItemText, Stack, TextField } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';

export function TrackingNumbers({ order, onDone }: { order: OrderOutput; onDone(): Promise<void> }) {
  const [value, setValue] = useState('');
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction();
  const mayWrite = useMayWrite();
  const order_id = order.id;

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isDone = await action.run(() =>
      store.post('/orders/{order_id}/tracking_numbers', { order_id }, { value: value.trim() }),
    );
    if (isDone) setValue('');
    await onDone();
  }

  async function remove(tracking_id: number): Promise<void> {
    await action.run(() =>
      store.delete('/orders/{order_id}/tracking_numbers/{tracking_id}', { order_id, tracking_id }),
    );
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
            <ListItemText primary={one.value} secondary={format.dateTime(one.date)} sx={{ overflowWrap: 'anywhere' }} />
          </ListItem>
        ))}
      </List>
      {mayWrite && (
        <form onSubmit={add}>
          <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
            <TextField
              label={translate('orders.newTracking')}
              value={value}
              onChange={({ target }) => setValue(target.value)}
              // Room for the longest label.
              sx={{ flex: '1 1 250px' }}
            />
            <Button type="submit" disabled={value.trim() === ''} loading={action.isBusy}>
              {translate('button.add')}
            </Button>
          </Stack>
        </form>
      )}
    </>
  );
}
