/** The history of an order, newest first. */
import { Box, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';
import type { LoadedOrder } from './load-order.ts';

export function OrderHistory({ history }: Pick<LoadedOrder, 'history'>) {
  const format = useFormat();
  const translate = useTranslate();
  return (
    <Box component="ol" reversed sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {[...history]
        .sort((a, b) => b.date.localeCompare(a.date) || b.id - a.id)
        .map((event) => (
          <Box component="li" key={event.id} sx={{ borderLeft: 2, borderColor: 'divider', pl: 1.5, pb: 1.5 }}>
            <Typography sx={{ overflowWrap: 'anywhere' }}>{event.description}</Typography>
            <Typography variant="body2" color="textSecondary">
              {format.dateTime(event.date)}
              {event.profile_name && ` · ${translate('orders.byKey', { name: event.profile_name })}`}
            </Typography>
          </Box>
        ))}
    </Box>
  );
}
