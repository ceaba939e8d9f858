import { Chip } from '@mui/material';
import { useTranslate } from 'react-admin';
import { type Discount, statusOf } from './kinds.ts';

const COLORS = { active: 'success', planned: 'info', usedUp: 'warning', ended: 'default', off: 'default' } as const;

export function StatusChip({ discount }: { discount: Discount }) {
  const translate = useTranslate();
  const status = statusOf(discount);
  return (
    <Chip size="small" variant="outlined" color={COLORS[status]} label={translate(`discounts.status.${status}`)} />
  );
}
