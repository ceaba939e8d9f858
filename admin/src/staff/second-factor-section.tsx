/** Two-step sign-in of one's own account: set up, recovery codes, turn off. */
import { Alert, Button, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { Confirm, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { useAction } from '../utils/use-action.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SECOND_FACTOR_KEY } from './users-common.ts';

/** @param onEnabled is called when the user has seen the recovery codes of a new second factor */
export function SecondFactorSection({ onEnabled }: { onEnabled?: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: SECOND_FACTOR_KEY,
    queryFn: async () => {
      const [{ data: user }, { data: codes }] = [
        await store.get('/users/me'),
        await store.get('/users/me/recovery_codes'),
      ];
      const { factors } = user;
      return { isOn: factors.includes('totp'), hasFactor: factors.length > 0, remaining: codes.remaining };
    },
  });

  async function closeCodes(): Promise<void> {
    setCodes(undefined);
    await refetch();
    onEnabled?.();
  }

  return (
    <Section title="twoStep.title">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton />
      ) : codes ? (
        <RecoveryCodes codes={codes} onClose={() => void closeCodes()} />
      ) : data.isOn ? (
        <TurnedOn remaining={data.remaining} onCodes={setCodes} onOff={() => void refetch()} />
      ) : (
        <Stack spacing={2}>
          <TurnedOff onCodes={setCodes} />
          {data.hasFactor && <CodesLeft remaining={data.remaining} onCodes={setCodes} />}
        </Stack>
      )}
    </Section>
  );
}

type OnCodes = (codes: readonly string[]) => void;

function TurnedOff({ onCodes }: { onCodes: OnCodes }) {
  const [setup, setSetup] = useState<{ readonly secret: string; readonly uri: string }>();
  const translate = useTranslate();
  const action = useAction(null);
  const begin = () => action.run(async () => setSetup((await store.post('/users/me/totp', {})).data));
  if (setup) return <SetUp {...setup} onCodes={onCodes} />;
  return (
    <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
      <Typography color="textSecondary">{translate('twoStep.help')}</Typography>
      <Button variant="contained" loading={action.isBusy} onClick={() => void begin()}>
        {translate('twoStep.turnOn')}
      </Button>
    </Stack>
  );
}

function SetUp({ secret, uri, onCodes }: { secret: string; uri: string; onCodes: OnCodes }) {
  const [code, setCode] = useState('');
  const translate = useTranslate();
  const action = useAction(null);

  async function enable(event: FormEvent): Promise<void> {
    event.preventDefault();
    await action.run(async () => onCodes((await store.put('/users/me/totp', { code })).data.codes));
  }

  return (
    <form onSubmit={(event) => void enable(event)}>
      <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
        <Typography>{translate('twoStep.scan')}</Typography>
        <QrCode text={uri} label={translate('twoStep.qrCode')} />
        <TextField
          label={translate('twoStep.secret')}
          value={secret.match(/.{1,4}/g)!.join(' ')}
          helperText={translate('twoStep.secretHelp')}
          multiline
          onFocus={({ target }) => target.select()}
          slotProps={{ htmlInput: { readOnly: true, spellCheck: false, style: { fontFamily: 'monospace' } } }}
        />
        <TextField
          label={translate('session.code')}
          value={code}
          onChange={({ target }) => setCode(target.value)}
          helperText={translate('twoStep.codeHelp')}
          autoComplete="one-time-code"
          required
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
        <Button type="submit" variant="contained" loading={action.isBusy}>
          {translate('twoStep.enable')}
        </Button>
      </Stack>
    </form>
  );
}

/** @property children buttons next to that for new codes */
function CodesLeft({ remaining, onCodes, children }: { remaining: number; onCodes: OnCodes; children?: ReactNode }) {
  const translate = useTranslate();
  const action = useAction(null);
  const renew = () => action.run(async () => onCodes((await store.post('/users/me/recovery_codes', {})).data.codes));
  return (
    <>
      <Alert severity={remaining < 3 ? 'warning' : 'info'}>
        {translate('twoStep.remaining', { count: remaining })}
      </Alert>
      <Stack direction="row" useFlexGap spacing={1} sx={{ flexWrap: 'wrap' }}>
        <Button variant="outlined" disabled={action.isBusy} onClick={() => void renew()}>
          {translate('twoStep.newCodes')}
        </Button>
        {children}
      </Stack>
    </>
  );
}

function TurnedOn({ remaining, onCodes, onOff }: { remaining: number; onCodes: OnCodes; onOff(): void }) {
  const [isAsking, setAsking] = useState(false);
  const translate = useTranslate();
  const action = useAction(null);

  async function turnOff(): Promise<void> {
    setAsking(false);
    if (await action.run(() => store.delete('/users/me/totp'), 'twoStep.isOff')) onOff();
  }

  return (
    <Stack spacing={2} sx={{ alignItems: 'flex-start' }}>
      <Typography>{translate('twoStep.on')}</Typography>
      <CodesLeft remaining={remaining} onCodes={onCodes}>
        <Button color="error" disabled={action.isBusy} onClick={() => setAsking(true)}>
          {translate('twoStep.turnOff')}
        </Button>
      </CodesLeft>
      <Confirm
        isOpen={isAsking}
        title={translate('twoStep.turnOff')}
        content={translate('twoStep.turnOffHelp')}
        confirm={translate('twoStep.turnOff')}
        confirmColor="warning"
        onClose={() => setAsking(false)}
        onConfirm={() => void turnOff()}
      />
    </Stack>
  );
}
