/** Shows how the amount of a refund or of a credit note comes about: `39.92 − 3.99 (coupon) = 35.93`. */
import { Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useFormat } from '../../utils/format.ts';
import { useSurchargeName } from '../order-items.tsx';
import type { RefundValue, ValuePart } from './refund-value.ts';

interface Props {
  readonly proposed: Pick<RefundValue, 'value' | 'parts'>;
  readonly currency: string;
}

/** Empty if the amount is that of the items. */
export function ValueParts({ proposed: { value, parts }, currency }: Props) {
  const translate = useTranslate();
  const nameOf = useSurchargeName();
  const format = useFormat();
  if (parts.every(({ kind }) => kind === 'items')) return null;
  const labelOf = ({ kind, name = '', type = '' }: ValuePart): string => {
    if (kind === 'surcharge') return ` (${nameOf({ name, type })})`;
    return kind === 'items' ? '' : ` (${translate(`orders.valuePart.${kind}`)})`;
  };
  const terms = parts.map((part, index) => {
    const sign = part.value < 0 ? '− ' : index === 0 ? '' : '+ ';
    return `${sign}${format.money(Math.abs(part.value), currency)}${labelOf(part)}`;
  });
  return (
    <Typography variant="body2" sx={{ mt: 1 }}>
      {[...terms, '=', format.money(value, currency)].join(' ')}
    </Typography>
  );
}
