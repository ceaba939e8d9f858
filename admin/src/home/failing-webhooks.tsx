/** Webhooks that are failing or paused, and why. */
import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { WebhookStatus } from '../settings/webhook-status.tsx';

/** @param count how many there are now; the list is read again when it changes */
export function FailingWebhooks({ count }: { count: number }) {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['webhooks-in-trouble', count],
    queryFn: async () => (await store.page('/webhooks', { itemsPerPage: 100 })).data,
  });
  return (
    <Section title="home.failingWebhooks">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={2} />
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data
            .filter(({ enabled, status }) => enabled && status !== 'ok')
            .map(({ id, url, status, reason, pending }) => (
              <Box key={id} component="li" sx={{ py: 0.75, borderBottom: 1, borderColor: 'divider' }}>
                <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
                  <MuiLink
                    component={Link}
                    to={`/settings/webhooks?webhook=${id}`}
                    sx={{ flex: '1 1 200px', overflowWrap: 'anywhere' }}
                  >
                    {url}
                  </MuiLink>
                  <WebhookStatus status={status} />
                </Stack>
                <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
                  {reason} {translate('settings.pending', { smart_count: pending })}
                </Typography>
              </Box>
            ))}
        </Box>
      )}
    </Section>
  );
}
