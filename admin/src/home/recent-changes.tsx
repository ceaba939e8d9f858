/** The products and orders that were changed last, by anyone. */
import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link, useTranslate } from 'react-admin';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';
import { RECENT_CHANGES } from './queries.ts';

export function RecentChanges() {
  const translate = useTranslate();
  const format = useFormat();
  const { data, error, isPending, refetch } = useQuery(RECENT_CHANGES);
  return (
    <Section title="home.recentChanges">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={3} />
      ) : data.length === 0 ? (
        <Typography color="textSecondary">{translate('home.noChanges')}</Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data.map(({ of, name, path, date, isNew }) => (
            <Stack
              key={path}
              component="li"
              direction="row"
              spacing={1}
              useFlexGap
              sx={{ py: 0.75, borderBottom: 1, borderColor: 'divider', flexWrap: 'wrap' }}
            >
              <Typography sx={{ flex: '1 1 200px', overflowWrap: 'anywhere' }}>
                {translate(`history.of.${of}`)}{' '}
                <MuiLink component={Link} to={path}>
                  {name}
                </MuiLink>{' '}
                {translate(isNew ? 'history.action.created' : 'history.action.updated')}
              </Typography>
              <Typography color="textSecondary">{format.dateTime(date)}</Typography>
            </Stack>
          ))}
        </Box>
      )}
    </Section>
  );
}
