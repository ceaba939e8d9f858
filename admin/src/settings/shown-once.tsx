/** A secret that the store will not show again. */
import { Alert, Box, Button } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';

export function ShownOnce({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
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
              // Only secure pages may write to the clipboard; the text can be selected on others.
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
