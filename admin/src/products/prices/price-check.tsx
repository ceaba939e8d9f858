/** The unit price that a buyer pays today for a quantity, and why. */
import { Alert, Box, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { MembershipOutput, ProductPriceOutput, WholesalePriceOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { parseNumber, useFormat } from '../../utils/format.ts';
import { useExplainedPrice } from './prices-today.ts';
import type { Owner } from './wholesale.ts';

interface Props {
  readonly owner: Owner;
  readonly memberships: readonly MembershipOutput[];
  /** The rows of the product and of all variants. */
  readonly rows: readonly WholesalePriceOutput[];
}

const QUANTITY_MAX = 1_000_000;

export function PriceCheck({ owner, memberships, rows }: Props) {
  const [typed, setTyped] = useState('1');
  const [membership, setMembership] = useState<number | null>(null);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const quantity = parseNumber(typed);
  const isValid = quantity !== undefined && Number.isInteger(quantity) && quantity >= 1 && quantity <= QUANTITY_MAX;
  const { data, error } = useExplainedPrice(owner, { quantity: quantity ?? 1, membership }, isValid);
  return (
    <Box component="section" aria-label={translate('prices.check')}>
      <Typography variant="h6" component="h2">
        {translate('prices.check')}
      </Typography>
      <Stack direction={{ xs: 'column', sm: 'row' }} useFlexGap sx={{ maxWidth: 520, columnGap: 1, mt: 0.5, mb: 1 }}>
        <TextField
          label={translate('field.quantity')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          // Enter must not submit the form around the tab.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          error={!isValid}
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
        <TextField
          select
          label={translate('prices.buyers')}
          value={membership ?? 0}
          onChange={({ target }) => setMembership(Number(target.value) || null)}
        >
          <MenuItem value={0}>{translate('prices.everyone')}</MenuItem>
          {memberships.map(({ id, name }) => (
            <MenuItem key={id} value={id}>
              {name}
            </MenuItem>
          ))}
        </TextField>
      </Stack>
      {error ? (
        <Alert severity="error">{errorMessage(error)}</Alert>
      ) : (
        data && <Result price={data} rows={rows} memberships={memberships} />
      )}
      <Link to={`/taxes/tester?product=${owner.product_id}`}>{translate('prices.openTester')}</Link>
    </Box>
  );
}

type ResultProps = Pick<Props, 'rows' | 'memberships'> & { readonly price: ProductPriceOutput };

function Result({ price, rows, memberships }: ResultProps) {
  const translate = useTranslate();
  const format = useFormat();
  const money = (value: number): string => format.money(value, price.currency);
  const winner = price.explanation?.find(({ scope, won }) => scope === 'items[0]' && won);
  const sale = useSaleName(price.sale_discount_id);
  const row = rows.find(({ id }) => id === price.wholesale_price_id);
  const buyers = memberships.find(({ id }) => id === row?.membership)?.name ?? translate('prices.everyone');
  const names = { sale: sale ?? '', quantity: format.number(row?.quantity_range_begin ?? 1), buyers };
  return (
    <Box role="status">
      <Typography sx={{ fontWeight: 600 }}>
        {translate('prices.perUnit', { price: money(price.price) })}
        {price.quantity > 1 && ` · ${format.number(price.quantity)} × = ${money(price.subtotal)}`}
      </Typography>
      {winner && (
        <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {translate(`prices.winner.${winner.kind}`, names)}
          {price.price < price.regular_price &&
            ` ${translate('prices.instead', { price: money(price.regular_price) })}`}
        </Typography>
      )}
    </Box>
  );
}

/** Returns the name of a sale discount; undefined while it is not known. */
function useSaleName(id: number | null): string | undefined {
  const { data } = useQuery({
    queryKey: ['sale-name', id],
    queryFn: async () => (await store.get('/sale_discounts/{id}', { id: id! })).data.name,
    enabled: id !== null,
    retry: false,
  });
  return data;
}
