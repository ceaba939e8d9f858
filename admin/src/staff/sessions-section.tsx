/** The places where a person is signed in. */
import { Button, Chip, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { UserSession } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { browserName } from './browser-name.ts';
import { useExplained } from './use-explained.ts';

interface Props {
  readonly queryKey: readonly unknown[];
  /** Translated label of the button that ends all sessions but the one of this page. */
  readonly endAllLabel: string;
  read(): Promise<readonly UserSession[]>;
  end(id: string): Promise<unknown>;
  endAll(): Promise<unknown>;
}

export function SessionsSection({ queryKey, endAllLabel, read, end, endAll }: Props) {
  const translate = useTranslate();
  const action = useAction('staff.sessionsEnded');
  const explained = useExplained();
  const { data, error, isPending, refetch } = useQuery({ queryKey, queryFn: read });

  async function send(request: () => Promise<unknown>): Promise<void> {
    await action.run(() => explained(request));
    await refetch();
  }

  return (
    <Section title="staff.sessions">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={2} />
      ) : data.length === 0 ? (
        <Typography color="textSecondary">{translate('staff.noSessions')}</Typography>
      ) : (
        <Stack spacing={2}>
          <SessionTable sessions={data} isBusy={action.isBusy} onEnd={(id) => void send(() => end(id))} />
          {data.some(({ current }) => !current) && (
            <Button
              variant="outlined"
              loading={action.isBusy}
              onClick={() => void send(endAll)}
              sx={{ alignSelf: 'flex-start' }}
            >
              {endAllLabel}
            </Button>
          )}
        </Stack>
      )}
    </Section>
  );
}

interface TableProps {
  readonly sessions: readonly UserSession[];
  readonly isBusy: boolean;
  onEnd(id: string): void;
}

function SessionTable({ sessions, isBusy, onEnd }: TableProps) {
  const translate = useTranslate();
  const format = useFormat();
  const columns: readonly Column<UserSession>[] = [
    {
      label: translate('staff.browser'),
      cell: ({ user_agent, current }) => (
        <>
          {browserName(user_agent) ?? translate('staff.unknownBrowser')}{' '}
          {current && <Chip size="small" variant="outlined" color="success" label={translate('staff.thisSession')} />}
        </>
      ),
    },
    { label: translate('staff.address'), cell: ({ address }) => address ?? '–' },
    { label: translate('staff.signedIn'), cell: ({ created_at }) => format.dateTime(created_at) },
    { label: translate('staff.lastUsed'), cell: ({ last_used_at }) => format.dateTime(last_used_at) },
    ...(sessions.every(({ current }) => current)
      ? []
      : [
          {
            label: translate('list.actions'),
            isRight: true,
            cell: ({ id, current }: UserSession) =>
              !current && (
                <Button size="small" disabled={isBusy} onClick={() => onEnd(id)}>
                  {translate('staff.endSession')}
                </Button>
              ),
          },
        ]),
  ];
  return (
    <ResponsiveTable label={translate('staff.sessions')} columns={columns} rows={sessions} keyOf={({ id }) => id} />
  );
}
