/** What an import would change in stored products, in words. Stocks that it replaces and images that it removes are a warning. */
import { Alert, Box, Typography } from '@mui/material';
import { type CsvImportReport, csvEffects } from 'purveyor/import';
import { useTranslate } from 'react-admin';

/** Columns with a sentence of their own. */
const OWN_SENTENCES = ['amount', 'images', 'price'];

export function CsvEffectsText({ report }: { report: CsvImportReport }) {
  const translate = useTranslate();
  const { columns, imagesRemoved } = csvEffects(report);
  const stocks = columns.get('amount') ?? 0;
  const prices = columns.get('price') ?? 0;
  const others = [...columns].filter(([name]) => !OWN_SENTENCES.includes(name));
  const imagesChanged = (columns.get('images') ?? 0) - imagesRemoved.products;
  return (
    <>
      {stocks > 0 && (
        <Alert severity="warning">
          {translate('csv.effect.amount', { smart_count: stocks })} {translate('csv.effect.amountHelp')}
        </Alert>
      )}
      {imagesRemoved.products > 0 && (
        <Alert severity="warning">
          {translate('csv.effect.imagesRemoved', {
            smart_count: imagesRemoved.products,
            images: translate('csv.effect.images', { smart_count: imagesRemoved.images }),
          })}{' '}
          {translate('csv.effect.imagesHelp')}
        </Alert>
      )}
      {(prices > 0 || imagesChanged > 0 || others.length > 0) && (
        <Box component="ul" sx={{ m: 0, pl: 3 }}>
          {prices > 0 && <li>{translate('csv.effect.price', { smart_count: prices })}</li>}
          {imagesChanged > 0 && <li>{translate('csv.effect.imagesChanged', { smart_count: imagesChanged })}</li>}
          {others.length > 0 && (
            <Typography component="li">
              {translate('csv.effect.others', {
                fields: others
                  .map(([name, count]) => `${translate(`field.${name}`, { _: name })} (${count})`)
                  .join(', '),
              })}
            </Typography>
          )}
        </Box>
      )}
    </>
  );
}
