/** Leads to the identity provider of the shop's organization. */
import { Button, Divider } from '@mui/material';
import { useTranslate } from 'react-admin';
import { OIDC_ADDRESS } from '../api/oidc.ts';

export function ProviderButton() {
  const translate = useTranslate();
  return (
    <>
      <Button href={OIDC_ADDRESS} variant="contained" fullWidth sx={{ my: 2 }}>
        {translate('session.oidc')}
      </Button>
      <Divider sx={{ mb: 2 }}>{translate('session.or')}</Divider>
    </>
  );
}
