import { Typography } from '@mui/material';
import { useTranslate } from 'react-admin';

export function NoResults() {
  const translate = useTranslate();
  return (
    <Typography role="status" sx={{ p: 4, textAlign: 'center' }} color="textSecondary">
      {translate('list.noMatch')}
    </Typography>
  );
}
