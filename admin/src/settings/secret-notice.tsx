/** Shows a secret that the store cannot show again. */
import { Alert, Button, Stack, TextField } from '@mui/material';
import { useRef, useState } from 'react';
import { useTranslate } from 'react-admin';

interface Props {
  readonly title: string;
  /** What the secret is. */
  readonly label: string;
  readonly secret: string;
  onClose(): void;
}

export function SecretNotice({ title, label, secret, onClose }: Props) {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const translate = useTranslate();

  async function copy(): Promise<void> {
    // Pages without HTTPS have no clipboard: there the user copies the selected text.
    field.current?.select();
    await navigator.clipboard?.writeText(secret);
    setCopied(navigator.clipboard !== undefined);
  }

  return (
    <Alert
      severity="success"
      sx={{
        '& .MuiAlert-icon': { display: { xs: 'none', sm: 'flex' } },
        '& .MuiAlert-message': { flex: 1, minWidth: 0 },
      }}
    >
      {title}
      <TextField
        label={label}
        value={secret}
        inputRef={field}
        onFocus={({ target }) => target.select()}
        multiline
        sx={{ mt: 2 }}
        slotProps={{
          htmlInput: { readOnly: true, spellCheck: false, style: { fontFamily: 'monospace', wordBreak: 'break-all' } },
        }}
      />
      <Stack direction="row" spacing={1}>
        <Button color="inherit" variant="outlined" onClick={() => void copy()}>
          {translate(isCopied ? 'button.copied' : 'button.copy')}
        </Button>
        <Button color="inherit" onClick={onClose}>
          {translate('button.close')}
        </Button>
      </Stack>
    </Alert>
  );
}
