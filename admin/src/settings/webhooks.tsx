/** Webhooks: create, test, pause and delete them, and their latest deliveries. */
import { Alert, Box, Button, Card, Stack, Switch, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { WebhookOutput } from 'purveyor/client';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { SecretNotice } from './secret-notice.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { useEventName } from './webhook-events.ts';
import { WebhookStatus } from './webhook-status.tsx';

export default function Webhooks() {
  const [created, setCreated] = useState<WebhookOutput>();
  const [isCreating, setCreating] = useState(false);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: async () => (await store.page('/webhooks')).data,
  });
  const reload = async (): Promise<void> => void (await refetch());
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (isPending) return <LoadingSkeleton />;
  return (
    <Stack spacing={2}>
      <Typography color="textSecondary">{translate('settings.webhooksHelp')}</Typography>
      {mayWrite && (
        <Box>
          <Button variant="contained" onClick={() => setCreating(true)}>
            {translate('webhooks.new')}
          </Button>
        </Box>
      )}
      {isCreating && (
        <WebhookDialog
          onClose={() => setCreating(false)}
          onSaved={(webhook) => {
            setCreating(false);
            setCreated(webhook);
            void reload();
          }}
        />
      )}
      {created?.secret && (
        <SecretNotice
          title={translate('settings.webhookCreated')}
          label={translate('settings.webhookSecret')}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        />
      )}
      {data.length === 0 && <Typography color="textSecondary">{translate('settings.noWebhooks')}</Typography>}
      {data.map((webhook) => (
        <Webhook key={webhook.id} webhook={webhook} onDone={reload} />
      ))}
    </Stack>
  );
}

function Webhook({ webhook, onDone }: { webhook: WebhookOutput; onDone(): Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const isLinked = useSearchParams()[0].get('webhook') === `${webhook.id}`;
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  const eventName = useEventName();
  const [isEditing, setEditing] = useState(false);
  const parameters = { webhook_id: webhook.id };
  // Missing in sessions that may not read everything that its events are about.
  const { status, reason, pending }: Partial<Pick<WebhookOutput, 'status' | 'reason' | 'pending'>> = webhook;

  // Focus scrolls the webhook that a link names into view.
  useEffect(() => {
    if (isLinked) card.current?.focus();
  }, [isLinked]);

  async function run(request: () => Promise<unknown>, successMessage?: string): Promise<void> {
    await action.run(request, successMessage);
    await onDone();
  }

  return (
    <Card ref={card} tabIndex={-1} variant="outlined" component="section" aria-label={webhook.url} sx={{ p: 2 }}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography component="h2" sx={{ fontWeight: 600, overflowWrap: 'anywhere', flex: '1 1 240px' }}>
          {webhook.url}
        </Typography>
        {status && <WebhookStatus status={status} />}
        <Switch
          checked={webhook.enabled}
          disabled={!mayWrite}
          onChange={(_event, enabled) => void run(() => store.patch('/webhooks/{webhook_id}', parameters, { enabled }))}
          slotProps={{ input: { 'aria-label': translate('button.toggleEnabled', { name: webhook.url }) } }}
        />
      </Stack>
      <Typography variant="body2" color="textSecondary">
        {webhook.events.map(eventName).join(', ')}
        {pending !== undefined && ` · ${translate('settings.pending', { smart_count: pending })}`}
      </Typography>
      {webhook.owner && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {translate(`webhooks.owner.${webhook.owner.type}`, { name: webhook.owner.name })}
        </Typography>
      )}
      {status === undefined && (
        <Typography variant="body2" color="textSecondary">
          {translate('webhooks.stateHidden')}
        </Typography>
      )}
      {reason && (
        <Alert severity="warning" sx={{ my: 1 }}>
          {reason}
        </Alert>
      )}
      <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap' }}>
        {mayWrite && (
          <>
            <Button
              size="small"
              onClick={() =>
                void run(() => store.post('/webhooks/{webhook_id}/test', parameters, {}), 'settings.testSent')
              }
            >
              {translate('settings.test')}
            </Button>
            <Button
              size="small"
              onClick={() => setEditing(true)}
              aria-label={`${translate('button.edit')}: ${webhook.url}`}
            >
              {translate('button.edit')}
            </Button>
          </>
        )}
        {mayWrite && status === 'paused' && (
          <Button
            size="small"
            onClick={() => void run(() => store.post('/webhooks/{webhook_id}/resume', parameters, { from: 'kept' }))}
          >
            {translate('settings.resume')}
          </Button>
        )}
        {status && (
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {translate('settings.deliveries')}
          </Button>
        )}
        <DeleteButton
          name={webhook.url}
          confirmation="settings.deleteWebhook"
          onConfirmed={() => run(() => store.delete('/webhooks/{webhook_id}', parameters))}
        />
      </Stack>
      {isEditing && (
        <WebhookDialog
          webhook={webhook}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            void onDone();
          }}
        />
      )}
      {isOpen && <Deliveries webhook_id={webhook.id} />}
    </Card>
  );
}

function Deliveries({ webhook_id }: { webhook_id: number }) {
  const translate = useTranslate();
  const format = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['deliveries', webhook_id],
    queryFn: async () =>
      (await store.page('/webhooks/{webhook_id}/deliveries', { webhook_id }, { itemsPerPage: 20 })).data,
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;
  if (data.length === 0) return <Typography color="textSecondary">{translate('settings.noDeliveries')}</Typography>;
  return (
    <ResponsiveTable
      label={translate('settings.deliveries')}
      columns={[
        { label: translate('settings.delivery.date'), cell: ({ date }) => format.dateTime(date) },
        { label: translate('settings.delivery.event'), cell: ({ type }) => type },
        {
          label: translate('settings.delivery.status'),
          cell: ({ status }) => translate(`settings.deliveryStatus.${status}`),
        },
        {
          label: translate('settings.delivery.response'),
          cell: ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.answer ?? '–',
        },
      ]}
      rows={data}
      keyOf={({ id }) => id}
    />
  );
}
