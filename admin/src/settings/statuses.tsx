/** The names of payment and shipping statuses, internal and shown to customers. */
import { Box, Stack, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { TextCell } from '../forms/text-cell.tsx';

export function Statuses() {
  return (
    <Stack spacing={3}>
      <StatusTable resource="payment_statuses" title="field.payment_status" />
      <StatusTable resource="shipping_statuses" title="field.shipping_status" />
    </Stack>
  );
}

function StatusTable({ resource, title }: { resource: 'payment_statuses' | 'shipping_statuses'; title: string }) {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [resource, 'settings'],
    queryFn: async () => (await store.page(`/${resource}`)).data,
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={4} />;
  return (
    <Box component="section" aria-label={translate(title)}>
      <Typography variant="h6" component="h2">
        {translate(title)}
      </Typography>
      <Box sx={{ overflowX: 'auto' }}>
        <Table size="small" sx={{ minWidth: 480 }}>
          <TableHead>
            <TableRow>
              <TableCell>{translate('field.code')}</TableCell>
              <TableCell>{translate('field.name')}</TableCell>
              <TableCell>{translate('settings.customerName')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {data.map((status) => (
              <TableRow key={status.id}>
                <TableCell component="th" scope="row">
                  {status.code}
                </TableCell>
                {(['name', 'customer_name'] as const).map((field) => (
                  <TableCell key={field}>
                    <TextCell
                      path={`/${resource}/{id}`}
                      parameters={{ id: status.id }}
                      field={field}
                      value={status[field]}
                      label={`${translate(field === 'name' ? 'field.name' : 'settings.customerName')}: ${status.code}`}
                      emptyValue=""
                      onSaved={async () => void (await refetch())}
                    />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Box>
  );
}
