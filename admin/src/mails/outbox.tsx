/** The mails of the last 30 days, the newest first: whether they were sent, and another attempt for those that failed. */
import { Button, Chip, Pagination, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { MailOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { ChoiceChips } from '../components/choice-chips.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { useTemplateName } from './use-template-name.ts';

const PER_PAGE = 25;
const STATUSES = ['queued', 'sent', 'failed'] as const;
type Status = (typeof STATUSES)[number];

const COLORS = { queued: 'info', sent: 'success', failed: 'error' } as const;

export default function Outbox() {
  const [search, setSearch] = useSearchParams();
  const translate = useTranslate();
  const status = STATUSES.find((each) => each === search.get('status'));
  const page = Number(search.get('page') ?? 1);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['mails', status, page],
    queryFn: () =>
      store.page('/mails', {
        page,
        itemsPerPage: PER_PAGE,
        order: { id: 'desc' },
        ...(status === undefined ? {} : { filter: { status } }),
      }),
  });
  const show = (next: Status | undefined, number = 1): void =>
    setSearch({
      ...(next === undefined ? {} : { status: next }),
      ...(number === 1 ? {} : { page: `${number}` }),
    });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Stack spacing={2}>
      <Typography color="textSecondary" sx={{ maxWidth: '80ch' }}>
        {translate('mails.help')}
      </Typography>
      <ChoiceChips
        label="field.status"
        choices={STATUSES}
        value={status}
        labelOf={(each) => `mails.status.${each}`}
        onChange={show}
      />
      {isPending ? (
        <LoadingSkeleton />
      ) : data.total === 0 ? (
        <Typography role="status">{translate(status === undefined ? 'mails.none' : 'list.noMatch')}</Typography>
      ) : (
        <MailTable mails={data.data} onDone={refetch} />
      )}
      {data && data.total > PER_PAGE && (
        <Pagination
          count={Math.ceil(data.total / PER_PAGE)}
          page={page}
          onChange={(_event, number) => show(status, number)}
        />
      )}
    </Stack>
  );
}

function MailTable({ mails, onDone }: { mails: readonly MailOutput[]; onDone(): Promise<unknown> }) {
  const translate = useTranslate();
  const format = useFormat();
  const nameOf = useTemplateName();
  const mayWrite = useMayWrite();
  const action = useAction('mails.retrying');

  async function retry(mail_id: number): Promise<void> {
    await action.run(() => store.post('/mails/{mail_id}/retry', { mail_id }, {}));
    await onDone();
  }

  const columns: readonly Column<MailOutput>[] = [
    // A session may not see personal data.
    { label: translate('field.to'), cell: ({ to }) => to ?? '–' },
    { label: translate('field.template'), cell: ({ template }) => template && nameOf(template) },
    {
      label: translate('field.status'),
      cell: ({ status }) =>
        status && (
          <Chip size="small" variant="outlined" color={COLORS[status]} label={translate(`mails.status.${status}`)} />
        ),
    },
    { label: translate('field.attempts'), cell: ({ attempts }) => attempts },
    { label: translate('mails.queuedAt'), cell: ({ date }) => date && format.dateTime(date) },
    ...(mayWrite
      ? [
          {
            label: translate('list.actions'),
            isRight: true,
            cell: ({ id, to, status }: MailOutput) =>
              status === 'failed' ? (
                <Button
                  size="small"
                  disabled={action.isBusy}
                  onClick={() => void retry(id)}
                  aria-label={`${translate('mails.retry')}: ${to ?? id}`}
                >
                  {translate('mails.retry')}
                </Button>
              ) : null,
          },
        ]
      : []),
  ];
  return (
    <ResponsiveTable label={translate('mails.tab.outbox')} columns={columns} rows={mails} keyOf={({ id }) => id} />
  );
}
