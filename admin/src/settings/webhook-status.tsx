import { Chip } from '@mui/material';
import type { WebhookOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';

export function WebhookStatus({ status }: Pick<WebhookOutput, 'status'>) {
  const translate = useTranslate();
  return (
    <Chip
      size="small"
      variant="outlined"
      color={status === 'ok' ? 'success' : 'warning'}
      label={translate(`settings.webhookStatus.${status}`)}
    />
  );
}
