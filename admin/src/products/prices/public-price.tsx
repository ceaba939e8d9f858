/** The price that everyone pays today, the lowest one of the last 30 days, and when it changed. */

import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import { Accordion, AccordionDetails, AccordionSummary, Box, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { useFormat } from '../../utils/format.ts';
import { useStoreInfo } from '../../utils/use-store-info.ts';
import { priceQueries } from './prices-today.ts';
import type { Owner } from './wholesale.ts';

/** Changes that are shown. */
const CHANGES_MAX = 20;

export function PublicPrice({ owner }: { owner: Owner }) {
  const translate = useTranslate();
  const format = useFormat();
  const currency = useStoreInfo()?.currency;
  const { data } = useQuery({
    queryKey: [...priceQueries(owner.product_id), 'public', owner.variant_id],
    queryFn: () => readPublicPrice(owner),
    retry: false,
  });
  const [now] = data?.history ?? [];
  if (!data || !now) return null;
  const money = (value: number) => format.money(value, currency);
  const isReduced = now.price < now.regular_price;
  const { history, lowest } = data;
  return (
    <Box component="section" aria-label={translate('prices.public')}>
      <Typography>
        {translate(isReduced ? 'prices.publicReduced' : 'prices.publicNow', {
          price: money(now.price),
          regular: money(now.regular_price),
        })}
      </Typography>
      {lowest !== null && (
        <Typography color="textSecondary">
          {translate(isReduced ? 'prices.lowestBefore' : 'prices.lowest', { price: money(lowest) })}
        </Typography>
      )}
      {history.length > 1 && (
        <Accordion variant="outlined" disableGutters sx={{ mt: 1, maxWidth: 640 }}>
          <AccordionSummary expandIcon={<ExpandMoreIcon />}>{translate('prices.history')}</AccordionSummary>
          <AccordionDetails>
            <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
              {history.slice(0, CHANGES_MAX).map(({ date, price, regular_price }) => (
                <Box component="li" key={date} sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
                  <span>{translate('prices.since', { date: format.dateTime(date) })}</span>
                  <span>
                    {price < regular_price
                      ? translate('prices.reducedFrom', { price: money(price), regular: money(regular_price) })
                      : money(price)}
                  </span>
                </Box>
              ))}
            </Box>
          </AccordionDetails>
        </Accordion>
      )}
    </Box>
  );
}

async function readPublicPrice({ product_id, variant_id }: Owner) {
  const fields = { fields: 'lowest_price_30_days' };
  const [history, record] =
    variant_id === null
      ? await Promise.all([
          store.get('/products/{id}/price_history', { id: product_id }),
          store.get('/products/{id}', { id: product_id }, { filter: fields }),
        ])
      : await Promise.all([
          store.get('/products/{product_id}/variants/{id}/price_history', { product_id, id: variant_id }),
          store.get('/products/{product_id}/variants/{id}', { product_id, id: variant_id }, { filter: fields }),
        ]);
  return { history: history.data, lowest: record.data.lowest_price_30_days ?? null };
}
