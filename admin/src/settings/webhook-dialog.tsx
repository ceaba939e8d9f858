/** Creates a webhook, or changes its address and events. */
import {
  Alert,
  Box,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  FormHelperText,
  TextField,
} from '@mui/material';
import type { WebhookOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { EVENT_GROUPS, useEventName } from './webhook-events.ts';

interface Props {
  /** Undefined for a new webhook. */
  readonly webhook?: WebhookOutput | undefined;
  onSaved(webhook: WebhookOutput): void;
  onClose(): void;
}

export function WebhookDialog({ webhook, onSaved, onClose }: Props) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? []));
  /** The events of the last attempt to save. */
  const [sent, setSent] = useState(events);
  const translate = useTranslate();
  const form = useSubmit(['url', 'events'], async () => {
    setSent(events);
    const body = { url: url.trim(), events: [...events] };
    const { data } = webhook
      ? await store.patch('/webhooks/{webhook_id}', { webhook_id: webhook.id }, body)
      : await store.post('/webhooks', body);
    onSaved(data);
  });
  const { helperText } = form.fieldProps('events');
  // Once other events are chosen, the message no longer applies.
  const problem = sent === events ? helperText : undefined;
  const title = translate(webhook ? 'webhooks.edit' : 'webhooks.new');

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="webhook">
      <form onSubmit={(event) => void form.submit(event)} noValidate style={{ display: 'contents' }}>
        <DialogTitle id="webhook">{title}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('webhooks.address')}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
            placeholder="https://"
            {...form.fieldProps('url', translate('webhooks.addressHelp'))}
            autoFocus
          />
          <EventChoice
            events={events}
            onChange={setEvents}
            problem={problem && events.size === 0 ? translate('webhooks.noEvents') : problem}
          />
          {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={form.isBusy}>
            {translate('webhooks.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface EventChoiceProps {
  readonly events: ReadonlySet<string>;
  onChange(events: ReadonlySet<string>): void;
  readonly problem: string | undefined;
}

/** The list is long: the message above it may be out of sight. */
const scrollIntoView = (message: HTMLElement | null): void => message?.scrollIntoView({ block: 'nearest' });

function EventChoice({ events, onChange, problem }: EventChoiceProps) {
  const translate = useTranslate();
  const nameOf = useEventName();
  const isAll = events.has('*');

  /** Choosing all events of a resource replaces the single ones. */
  function toggle(event: string): void {
    const next = new Set(events);
    if (!next.delete(event)) next.add(event);
    if (event.endsWith('.*') && next.has(event))
      for (const one of next) if (one !== event && one.startsWith(event.slice(0, -1))) next.delete(one);
    onChange(next);
  }

  const box = (event: string, isIncluded: boolean) => (
    <FormControlLabel
      key={event}
      label={nameOf(event)}
      control={
        <Checkbox
          size="small"
          checked={isIncluded || events.has(event)}
          disabled={isIncluded}
          onChange={() => toggle(event)}
        />
      }
    />
  );

  return (
    <Box role="group" aria-label={translate('settings.webhookEvents')} sx={{ mt: 1 }}>
      {problem && (
        <FormHelperText error role="alert" ref={scrollIntoView}>
          {problem}
        </FormHelperText>
      )}
      {box('*', false)}
      {EVENT_GROUPS.map(({ resource, actions }) => (
        <Box key={resource} sx={{ borderTop: 1, borderColor: 'divider', py: 0.5 }}>
          {box(`${resource}.*`, isAll)}
          <Box sx={{ pl: 3, display: 'flex', flexWrap: 'wrap' }}>
            {actions.map((action) => box(`${resource}.${action}`, isAll || events.has(`${resource}.*`)))}
          </Box>
        </Box>
      ))}
      {[...events].filter((event) => nameOf(event) === event).map((event) => box(event, false))}
    </Box>
  );
}
