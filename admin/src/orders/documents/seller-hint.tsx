/** Says that invoices do not name a seller yet, and where to set it. */
import { Alert, Button } from '@mui/material';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { useStoreInfo } from '../../utils/use-store-info.ts';

export function SellerHint() {
  const translate = useTranslate();
  const info = useStoreInfo();
  if (info?.seller !== '') return null;
  return (
    <Alert
      severity="warning"
      sx={{ my: 1, flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 200px' } }}
      action={
        <Button component={Link} to="/settings/store" color="inherit" size="small">
          {translate('orders.setSeller')}
        </Button>
      }
    >
      {translate('orders.noSeller')}
    </Alert>
  );
}
