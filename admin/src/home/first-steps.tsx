/** What a new store needs first. Disappears when everything is done, or when the user closes it. */
import DoneIcon from '@mui/icons-material/CheckCircleOutlined';
import OpenIcon from '@mui/icons-material/RadioButtonUnchecked';
import { Box, Button, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { Key } from 'purveyor/client';
import { Link, useStore, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { useMay } from '../utils/use-may.tsx';

interface Step {
  readonly name: 'product' | 'seller' | 'key';
  readonly path: string;
  readonly isDone: boolean;
}

/** The names of the keys that the first start of a store creates. */
const FIRST_KEYS = ['first read/write', 'first read-only'];

/** Whether a user created the key, not the first start or a setting of the server. */
const isMade = ({ name, source }: Key): boolean => source === 'store' && !FIRST_KEYS.includes(name);

async function readSteps(): Promise<Step[]> {
  const [products, info, keys] = await Promise.all([
    store.page('/products', { itemsPerPage: 1 }),
    store.get('/store'),
    readAll('/keys'),
  ]);
  return [
    { name: 'product', path: '/products/create', isDone: products.total > 0 },
    { name: 'seller', path: '/settings/store', isDone: info.data.seller !== '' },
    { name: 'key', path: '/settings/keys', isDone: keys.some(isMade) },
  ];
}

export function FirstSteps() {
  const [isClosed, setClosed] = useStore('first-steps-closed', false);
  const translate = useTranslate();
  const maySetUp = useMay('keys:manage');
  const { data } = useQuery({ queryKey: ['first-steps'], queryFn: readSteps, enabled: maySetUp && !isClosed });
  if (isClosed || !data || data.every(({ isDone }) => isDone)) return null;
  return (
    <Card variant="outlined" component="section" aria-label={translate('home.firstSteps')} sx={{ p: 2 }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography variant="h6" component="h2">
          {translate('home.firstSteps')}
        </Typography>
        <Button size="small" onClick={() => setClosed(true)}>
          {translate('home.hideSteps')}
        </Button>
      </Stack>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {data.map(({ name, path, isDone }) => (
          <Stack key={name} component="li" direction="row" spacing={1} sx={{ py: 0.5, alignItems: 'center' }}>
            {isDone ? (
              <DoneIcon color="success" titleAccess={translate('home.stepDone')} />
            ) : (
              <OpenIcon color="disabled" titleAccess={translate('home.stepOpen')} />
            )}
            {isDone ? (
              <Typography color="textSecondary">{translate(`home.step.${name}`)}</Typography>
            ) : (
              <Link to={path}>{translate(`home.step.${name}`)}</Link>
            )}
          </Stack>
        ))}
      </Box>
    </Card>
  );
}
