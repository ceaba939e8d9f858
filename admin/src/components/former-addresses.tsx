/** The former clean URLs of a product or a category, from which the shop redirects. Hidden while there are none. */
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Box, IconButton, List, ListItem, ListItemText, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { deleteRecord, readRecord } from '../api/runtime-requests.ts';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { LoadError } from './loading.tsx';

const PATHS = {
  products: ['/products/{id}/old_urls', '/products/{id}/old_urls/{clean_url}', 'id'],
  categories: ['/categories/{category_id}/old_urls', '/categories/{category_id}/old_urls/{clean_url}', 'category_id'],
} as const;

interface Props {
  readonly resource: keyof typeof PATHS;
  readonly id: number;
  /** The current one. When it changes, the list has another entry. */
  readonly cleanUrl: string;
}

export function FormerAddresses({ resource, id, cleanUrl }: Props) {
  const [path, one, parameter] = PATHS[resource];
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const format = useFormat();
  const action = useAction();
  const { data, error, refetch } = useQuery({
    queryKey: ['former-addresses', resource, id, cleanUrl],
    queryFn: async () => (await readRecord(path, { [parameter]: id })).data,
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;

  async function remove(clean_url: string): Promise<void> {
    await action.run(() => deleteRecord(one, { [parameter]: id, clean_url }));
    await refetch();
  }

  return (
    <Box component="section" aria-label={translate('formerAddresses.title')} sx={{ maxWidth: 640, minWidth: 0 }}>
      <Typography variant="h6" component="h2">
        {translate('formerAddresses.title')}
      </Typography>
      <Typography color="textSecondary">{translate('formerAddresses.help')}</Typography>
      <List dense>
        {data.map(({ clean_url, until }) => (
          <ListItem
            key={clean_url}
            divider
            secondaryAction={
              mayWrite && (
                <IconButton
                  edge="end"
                  onClick={() => void remove(clean_url)}
                  aria-label={`${translate('button.remove')}: ${clean_url}`}
                >
                  <DeleteIcon />
                </IconButton>
              )
            }
          >
            <ListItemText
              primary={clean_url}
              secondary={translate('formerAddresses.until', { date: format.dateTime(until) })}
              sx={{ overflowWrap: 'anywhere' }}
            />
          </ListItem>
        ))}
      </List>
    </Box>
  );
}
