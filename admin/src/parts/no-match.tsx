/** A list whose filters leave nothing. */
import { Typography } from '@mui/material';
import { useTranslate } from 'react-admin';

export function NoMatch() {
  const translate = useTranslate();
  return (
    <Typography role="status" sx={{ p: 4, textAlign: 'center' }} color="textSecondary">
      {translate('list.noMatch')}
    </Typography>
  );
}
