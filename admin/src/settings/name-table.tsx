/** Records that are little more than a name: renamed where they stand, added below, deleted after a question. */
import { Alert, Pagination, Stack, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { AddForm } from '../parts/add-form.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { TextCell } from '../parts/text-cell.tsx';
import { useAct } from '../parts/use-act.ts';
import { anyStore } from '../store/data-provider.ts';

const PARAMETERS: Readonly<Record<string, string>> = { memberships: 'membership_id' };
const PER_PAGE = 50;

interface Named {
  readonly id: number;
  readonly name: string;
}

export function NameTable({ resource }: { resource: 'tax_classes' | 'memberships' | 'product_classes' | 'tags' }) {
  const [page, setPage] = useState(1);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const parameter = PARAMETERS[resource] ?? 'id';
  const path = `/${resource}/{${parameter}}`;
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [resource, 'names', page],
    queryFn: (): Promise<{ data: Named[]; total: number }> =>
      anyStore().page(`/${resource}`, { page, itemsPerPage: PER_PAGE }),
  });
  const renew = async (): Promise<void> => void (await refetch());

  async function remove({ id }: Named): Promise<void> {
    await act.run(() => anyStore().delete(path, { [parameter]: id }));
    await renew();
  }

  if (error) return <Failed error={error} onAgain={renew} />;
  if (isPending) return <Reading />;
  return (
    <Stack spacing={2} sx={{ maxWidth: 640 }}>
      <Alert severity="info" icon={false}>
        {translate(`settings.help.${resource}`)}
      </Alert>
      {mayWrite && (
        <AddForm
          fields={{ name: { label: 'settings.newName' } }}
          onAdd={(values) => anyStore().post(`/${resource}`, values).then(renew)}
        />
      )}
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
                  emptied=""
                  onSaved={renew}
                />
              </TableCell>
              <TableCell align="right">
                <DeleteButton
                  name={one.name}
                  question={`settings.delete.${resource}`}
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
