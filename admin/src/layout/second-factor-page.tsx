/** Two-step sign-in as the only page, if the store requires it and the user has not set it up. */
import { Alert, Box } from '@mui/material';
import { Title, useTranslate } from 'react-admin';
import { PasskeysSection } from '../staff/passkeys/passkeys-section.tsx';
import { SecondFactorSection } from '../staff/second-factor-section.tsx';

export default function SecondFactorPage() {
  const translate = useTranslate();
  // The page then begins anew, with everything that the session could not read before.
  const begin = () => location.reload();
  return (
    <Box sx={{ maxWidth: 640, mt: 1 }}>
      <Title title={translate('twoStep.title')} />
      <Alert severity="warning" sx={{ mb: 2 }}>
        {translate('twoStep.required')}
      </Alert>
      <SecondFactorSection onEnabled={begin} />
      <Box sx={{ mt: 2 }}>
        <PasskeysSection onAdded={begin} />
      </Box>
    </Box>
  );
}
