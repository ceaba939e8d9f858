/** The front page of the shop. */
import { Box } from '@mui/material';
import { Title, useTranslate } from 'react-admin';
import { FeaturedOfFrontPage } from './featured-products.tsx';

export default function FrontPage() {
  const translate = useTranslate();
  return (
    <>
      <Title title={translate('menu.frontPage')} />
      <Box sx={{ mt: 1, maxWidth: 960 }}>
        <FeaturedOfFrontPage />
      </Box>
    </>
  );
}
