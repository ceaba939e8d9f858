/** Shows recovery codes, which the store cannot show again. */
import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { download } from '../utils/download.ts';

export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const [isCopied, setCopied] = useState(false);
  const translate = useTranslate();
  const text = `${codes.join('\n')}\n`;

  async function copy(): Promise<void> {
    // Pages without HTTPS have no clipboard: there the user downloads the codes.
    await navigator.clipboard?.writeText(text);
    setCopied(navigator.clipboard !== undefined);
  }

  return (
    <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
      <Typography variant="subtitle1" component="h3">
        {translate('twoStep.codes')}
      </Typography>
      <Alert severity="warning">{translate('twoStep.codesHelp')}</Alert>
      <Box
        component="ul"
        aria-label={translate('twoStep.codes')}
        sx={{ columnCount: { xs: 1, sm: 2 }, fontFamily: 'monospace', listStyle: 'none', p: 0, m: 0 }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap' }}>
        <Button variant="outlined" onClick={() => void copy()}>
          {translate(isCopied ? 'button.copied' : 'button.copy')}
        </Button>
        <Button variant="outlined" onClick={() => download('recovery-codes.txt', [text], 'text/plain')}>
          {translate('twoStep.download')}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {translate('twoStep.saved')}
        </Button>
      </Stack>
    </Stack>
  );
}
