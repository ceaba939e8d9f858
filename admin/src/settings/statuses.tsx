/** The names of payment and shipping statuses, internal and shown to customers. */
import { Box, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { TextCell } from '../forms/text-cell.tsx';

export default function Statuses() {
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
  const textColumn = (field: 'name' | 'customer_name', label: string): Column<(typeof data)[number]> => ({
    label,
    cell: (status) => (
      <TextCell
        path={`/${resource}/{id}`}
        parameters={{ id: status.id }}
        field={field}
        value={status[field]}
        label={`${label}: ${status.code}`}
        emptyValue=""
        onSaved={async () => void (await refetch())}
      />
    ),
  });
  return (
    <Box component="section" aria-label={translate(title)}>
      <Typography variant="h6" component="h2">
        {translate(title)}
      </Typography>
      <ResponsiveTable
        label={translate(title)}
        columns={[
          { label: translate('field.code'), cell: ({ code }) => code },
          textColumn('name', translate('field.name')),
          textColumn('customer_name', translate('settings.customerName')),
        ]}
        rows={data}
        keyOf={({ id }) => id}
      />
    </Box>
  );
}
