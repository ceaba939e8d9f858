/** A table of records that have little more than a name: add, rename and delete. */
import { Alert, Pagination, Stack, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { createRecord, deleteRecord, readPage } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useRemoval } from '../components/use-removal.tsx';
import { AddForm } from '../forms/add-form.tsx';
import { TextCell } from '../forms/text-cell.tsx';
import { useMayWrite } from '../utils/use-may.tsx';

/** The path of a record of each resource, and its parameter. */
const RECORDS = {
  tax_classes: ['/tax_classes/{id}', 'id'],
  memberships: ['/memberships/{membership_id}', 'membership_id'],
  product_classes: ['/product_classes/{id}', 'id'],
  tags: ['/tags/{id}', 'id'],
} as const;
const PER_PAGE = 50;

export default function NameTable({ resource }: { resource: keyof typeof RECORDS }) {
  const [page, setPage] = useState(1);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const removal = useRemoval();
  const [path, parameter] = RECORDS[resource];
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [resource, 'names', page],
    queryFn: () => readPage(`/${resource}` as const, {}, { page, itemsPerPage: PER_PAGE }),
  });
  const reload = async (): Promise<void> => void (await refetch());

  async function remove({ id, name }: { id: number; name: string }): Promise<void> {
    await removal.remove(name, () => deleteRecord(path, { [parameter]: id }));
    await reload();
  }

  if (error) return <LoadError error={error} onRetry={reload} />;
  if (isPending) return <LoadingSkeleton />;
  return (
    <Stack spacing={2} sx={{ maxWidth: 640 }}>
      <Alert severity="info" icon={false}>
        {translate(`settings.help.${resource}`)}
      </Alert>
      {mayWrite && (
        <AddForm
          fields={{ name: { label: 'settings.newName' } }}
          onAdd={(values) => createRecord(`/${resource}` as const, {}, values).then(reload)}
        />
      )}
      {removal.rejection}
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{translate('field.name')}</TableCell>
            <TableCell align="right">{translate('button.delete')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {data.data.map((one) => (
            <TableRow key={one.id}>
              <TableCell>
                <TextCell
                  path={path}
                  parameters={{ [parameter]: one.id }}
                  field="name"
                  value={one.name}
                  label={`${translate('field.name')}: ${one.name}`}
                  emptyValue=""
                  onSaved={reload}
                />
              </TableCell>
              <TableCell align="right">
                <DeleteButton
                  name={one.name}
                  confirmation={`settings.delete.${resource}`}
                  onConfirmed={() => remove(one)}
                />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {data.total > PER_PAGE && (
        <Pagination
          count={Math.ceil(data.total / PER_PAGE)}
          page={page}
          onChange={(_event, number) => setPage(number)}
        />
      )}
    </Stack>
  );
}
