/** What the buyer pays. */
import { Box, Stack, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';
import { ExplanationList } from './explanation-list.tsx';
import type { Answer, Explained } from './price-request.ts';

/** The kinds of rules that determine the price per unit. */
const OF_PRICE: readonly Explained['kind'][] = [
  'regular',
  'own_sale',
  'sale_discount',
  'wholesale_price',
  'combination',
];

export function TesterResult({ answer }: { answer: Answer }) {
  const { price } = answer;
  const translate = useTranslate();
  const format = useFormat();
  const money = (value: number) => format.money(value, price.currency);
  const winner = price.explanation?.find(({ kind, won }) => won && OF_PRICE.includes(kind));
  const isConverted = winner?.value != null && winner.value !== price.price;
  return (
    <>
      <Box component="dl" sx={{ m: 0 }}>
        <Amount label={translate('tester.price')} value={money(price.price)} isStrong />
        {price.regular_price !== price.price && (
          <Amount label={translate('tester.regularPrice')} value={money(price.regular_price)} />
        )}
        <Amount label={translate('tester.subtotal', { smart_count: price.quantity })} value={money(price.subtotal)} />
        {price.discounts.map(({ kind, id, code, value }) => (
          <Amount
            key={`${kind}-${id}`}
            label={
              kind === 'coupon'
                ? translate('tester.couponOf', { code: code ?? '' })
                : translate('tester.rule.volume_discount')
            }
            value={money(-value)}
          />
        ))}
        <Amount label={translate('tester.net')} value={money(price.net)} />
        {price.taxes.map(({ id, name, value }) => (
          <Amount key={id} label={name} value={money(value)} />
        ))}
        {price.taxes.length === 0 && <Amount label={translate('tester.noTaxes')} value={money(0)} />}
        <Amount label={translate('tester.gross')} value={money(price.gross)} isStrong />
      </Box>
      {isConverted && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {translate('tester.converted', { before: money(winner!.value!), after: money(price.price) })}
        </Typography>
      )}
      {price.tiers.length > 1 && (
        <Box sx={{ mt: 2 }}>
          <Typography variant="subtitle2" component="h2">
            {translate('tester.tiers')}
          </Typography>
          <Box component="ul" aria-label={translate('tester.tiers')} sx={{ m: 0, pl: 2.5 }}>
            {price.tiers.map(({ quantity, price: ofTier }) => (
              <li key={quantity}>{translate('tester.tier', { smart_count: quantity, price: money(ofTier) })}</li>
            ))}
          </Box>
        </Box>
      )}
      <ExplanationList answer={answer} />
    </>
  );
}

interface AmountProps {
  readonly label: string;
  readonly value: string;
  readonly isStrong?: boolean;
}

function Amount({ label, value, isStrong = false }: AmountProps) {
  const sx = { m: 0, fontWeight: isStrong ? 700 : 400 };
  return (
    <Stack direction="row" spacing={2} sx={{ justifyContent: 'space-between', py: 0.25 }}>
      <Typography component="dt" sx={{ ...sx, overflowWrap: 'anywhere' }}>
        {label}
      </Typography>
      <Typography component="dd" sx={{ ...sx, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {value}
      </Typography>
    </Stack>
  );
}
