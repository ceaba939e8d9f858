/** Creates a passkey on this device or on a security key, under a name. */
import { Button, Stack, TextField } from '@mui/material';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../../api/client.ts';
import { createPasskey, passkeyMessage } from '../../api/passkeys.ts';
import { useAction } from '../../utils/use-action.ts';
import { browserName } from '../browser-name.ts';
import { useExplained } from '../use-explained.ts';

export function AddPasskey({ onAdded }: { onAdded(): void }) {
  const [name, setName] = useState(() => browserName(navigator.userAgent) ?? '');
  const translate = useTranslate();
  const explained = useExplained();
  const action = useAction('passkey.isAdded');

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isAdded = await action.run(async () => {
      const { data: options } = await explained(
        () => store.post('/users/me/passkeys/options', {}),
        translate('passkey.tooMany'),
      );
      const passkey = await createPasskey(options).catch((error: unknown) => {
        throw new Error(translate(passkeyMessage(error) ?? 'passkey.failed'), { cause: error });
      });
      await explained(() => store.post('/users/me/passkeys', { name: name.trim(), passkey }));
    });
    if (isAdded) onAdded();
  }

  return (
    <Stack component="form" spacing={1} onSubmit={(event) => void add(event)} sx={{ alignItems: 'flex-start' }}>
      <TextField
        label={translate('passkey.name')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        helperText={translate('passkey.nameHelp')}
        required
        slotProps={{ htmlInput: { maxLength: 255 } }}
      />
      <Button type="submit" variant="contained" loading={action.isBusy}>
        {translate('passkey.add')}
      </Button>
    </Stack>
  );
}
