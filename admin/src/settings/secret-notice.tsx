/** Shows a secret that the store cannot show again. */
import { Alert, Box, Button } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';

export function SecretNotice({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  const [isCopied, setCopied] = useState(false);
  const translate = useTranslate();
  return (
    <Alert
      severity="success"
      action={
        <>
          <Button
            color="inherit"
            onClick={async () => {
              // Pages without HTTPS have no clipboard: there the user selects and copies the text.
              await navigator.clipboard?.writeText(secret);
              setCopied(navigator.clipboard !== undefined);
            }}
          >
            {translate(isCopied ? 'button.copied' : 'button.copy')}
          </Button>
          <Button color="inherit" onClick={onClose}>
            {translate('button.close')}
          </Button>
        </>
      }
    >
      {title}
      <Box
        component="code"
        data-secret
        sx={{ display: 'block', my: 1, fontSize: '1.05rem', overflowWrap: 'anywhere', userSelect: 'all' }}
      >
        {secret}
      </Box>
    </Alert>
  );
}
