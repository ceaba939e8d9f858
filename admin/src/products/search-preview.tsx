/** How a search engine may show the product, in the default language. */
import { Box, Typography } from '@mui/material';
import { useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { plainText } from '../forms/html-text.ts';
import { useStoreInfo } from '../utils/use-store-info.ts';

/** Search engines cut longer texts off. */
const TITLE_MAX = 60;
const DESCRIPTION_MAX = 160;

const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}…`);

export function SearchPreview() {
  const [name, title, description, brief, long, cleanUrl] = useWatch({
    name: ['name', 'meta_title', 'meta_description', 'brief_description', 'description', 'clean_url'],
  }) as (string | null | undefined)[];
  const translate = useTranslate();
  const info = useStoreInfo();
  const address = `${(info?.shop_url || location.origin).replace(/^https?:\/\//, '')} › ${cleanUrl ?? ''}`;
  const text = description || plainText(brief || '') || plainText(long || '');
  const shownTitle = title || name || '';
  return (
    <Box component="section" aria-label={translate('products.searchPreview')} sx={{ mt: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {translate('products.searchPreview')}
      </Typography>
      <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 1.5, overflowWrap: 'anywhere' }}>
        <Typography variant="body2" color="textSecondary">
          {address}
        </Typography>
        <Typography sx={{ fontSize: '1.15rem', color: 'info.main' }}>{cut(shownTitle, TITLE_MAX)}</Typography>
        <Typography variant="body2">{cut(text, DESCRIPTION_MAX)}</Typography>
      </Box>
      {shownTitle.length > TITLE_MAX && (
        <Typography variant="body2" color="warning">
          {translate('products.titleCut', { max: TITLE_MAX })}
        </Typography>
      )}
      {text.length > DESCRIPTION_MAX && (
        <Typography variant="body2" color="warning">
          {translate('products.descriptionCut', { max: DESCRIPTION_MAX })}
        </Typography>
      )}
    </Box>
  );
}
