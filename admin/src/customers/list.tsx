/** The customer list. */
import GuestIcon from '@mui/icons-material/PersonOutlined';
import { Card, Chip, Stack, type Theme, Typography, useMediaQuery } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileOutput } from 'purveyor/client';
import {
  AutocompleteInput,
  Button,
  CreateButton,
  DataTable,
  DateInput,
  FilterButton,
  Link,
  List,
  Pagination,
  ReferenceField,
  ReferenceInput,
  SearchInput,
  SelectInput,
  TextField,
  TopToolbar,
  useListContext,
  useRecordContext,
  useTranslate,
} from 'react-admin';
import { Link as RouterLink } from 'react-router-dom';
import { store } from '../api/client.ts';
import { mapInBatches } from '../api/data-provider.ts';
import { addressName } from '../components/address-lines.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { FilterPresets } from '../components/filter-presets.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { NoResults } from '../components/no-results.tsx';
import { useFormat } from '../utils/format.ts';
import { useMayWrite } from '../utils/use-may-write.ts';

const STATUSES = ['E', 'D'].map((id) => ({ id, name: `customers.status.${id}` }));

const byName = (text: string) => ({ name: text });

const filters = [
  <SearchInput key="login" source="login" alwaysOn sx={{ minWidth: { sm: 280 } }} />,
  <SelectInput key="status" source="status" label="field.status" choices={STATUSES} />,
  ...['membership_id', 'pending_membership_id'].map((source) => (
    <ReferenceInput key={source} source={source} reference="memberships">
      <AutocompleteInput label={`field.${source}`} filterToQuery={byName} optionText="name" />
    </ReferenceInput>
  )),
  <DateInput key="from" source="create_date.after" label="customers.createdSince" />,
  <DateInput key="seen" source="last_login_date.after" label="customers.loggedInSince" />,
];

export default function CustomerList() {
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  return (
    <List
      title="menu.customers"
      filters={filters}
      actions={<Actions />}
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      sort={{ field: 'create_date', order: 'DESC' }}
      queryOptions={NO_ERROR_NOTIFICATION}
      error={<ListError />}
      empty={<EmptyList title="customers.empty" help="customers.emptyHelp" create="customers.new" />}
      sx={LIST_STYLES}
    >
      <FilterPresets
        label="list.presets"
        presets={[
          ['list.all', {}],
          ['customers.preset.requestsMembership', { pending_membership_id: { exists: true } }],
          ['customers.preset.disabled', { status: 'D' }],
        ]}
      />
      {isNarrow ? <Cards /> : <Rows />}
    </List>
  );
}

function Actions() {
  const mayWrite = useMayWrite();
  return (
    <TopToolbar>
      <FilterButton />
      <ExportButton path="/profiles" name="customers" />
      {mayWrite && (
        <Button component={RouterLink} to="/guests" label="guests.title">
          <GuestIcon />
        </Button>
      )}
      {mayWrite && <CreateButton label="customers.new" variant="contained" />}
    </TopToolbar>
  );
}

function Rows() {
  return (
    <DataTable bulkActionButtons={false} rowClick="edit" empty={<NoResults />}>
      <DataTable.Col source="login" label="field.login">
        <Login />
      </DataTable.Col>
      <DataTable.Col source="id" label="field.name" disableSort>
        <Name />
      </DataTable.Col>
      <DataTable.Col source="status" label="field.status" disableSort>
        <Status />
      </DataTable.Col>
      <DataTable.Col source="membership_id" label="field.membership_id" disableSort>
        <Membership />
      </DataTable.Col>
      <DataTable.Col source="create_date" label="field.create_date">
        <Day field="create_date" />
      </DataTable.Col>
      <DataTable.Col source="last_login_date" label="field.last_login_date">
        <Day field="last_login_date" />
      </DataTable.Col>
    </DataTable>
  );
}

/** Reads the names of the customers on this page from their address books: profiles have no name. */
function useNames(): Readonly<Record<number, string>> {
  const { data = [] } = useListContext<ProfileOutput>();
  const ids = data.map(({ id }) => id);
  const { data: names = {} } = useQuery({
    queryKey: ['names-of-customers', ids],
    queryFn: async () => Object.fromEntries(await mapInBatches(ids, async (id) => [id, await nameOf(id as number)])),
    enabled: ids.length > 0,
  });
  return names;
}

async function nameOf(profile_id: number): Promise<string> {
  const { data } = await store.page('/profiles/{profile_id}/addresses', { profile_id }, { itemsPerPage: 10 });
  const own = data.find(({ is_billing }) => is_billing) ?? data.find((address) => addressName(address) !== '');
  return own ? addressName(own) : '';
}

function Login() {
  const { id, login } = useRecordContext<ProfileOutput>()!;
  return (
    <Link to={`/profiles/${id}`} sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
      {login}
    </Link>
  );
}

function Name() {
  const { id } = useRecordContext<ProfileOutput>()!;
  return useNames()[id] || '–';
}

function Status() {
  const { status } = useRecordContext<ProfileOutput>()!;
  const translate = useTranslate();
  return (
    <Chip
      size="small"
      variant="outlined"
      color={status === 'E' ? 'default' : 'warning'}
      label={translate(`customers.status.${status}`)}
    />
  );
}

/** The customer's membership, and the one they have requested. */
function Membership() {
  const { pending_membership_id } = useRecordContext<ProfileOutput>()!;
  const translate = useTranslate();
  return (
    <>
      <ReferenceField source="membership_id" reference="memberships" link={false} emptyText="–">
        <TextField source="name" />
      </ReferenceField>
      {pending_membership_id !== null && (
        <Typography variant="body2" color="warning" component="div">
          {translate('customers.requests')}{' '}
          <ReferenceField source="pending_membership_id" reference="memberships" link={false}>
            <TextField source="name" />
          </ReferenceField>
        </Typography>
      )}
    </>
  );
}

function Day({ field }: { field: 'create_date' | 'last_login_date' }) {
  const profile = useRecordContext<ProfileOutput>()!;
  const format = useFormat();
  const translate = useTranslate();
  return profile[field] === null ? translate('settings.never') : format.date(profile[field]);
}

function Cards() {
  const { data, isPending, total } = useListContext<ProfileOutput>();
  const names = useNames();
  const format = useFormat();
  const translate = useTranslate();
  if (isPending) return <Typography sx={{ p: 3 }}>{translate('state.loading')}</Typography>;
  if (total === 0) return <NoResults />;
  return (
    <Stack component="ul" spacing={1} sx={{ listStyle: 'none', m: 0, p: 1 }}>
      {data?.map(({ id, login, status, pending_membership_id, create_date }) => (
        <Card key={id} component="li" variant="outlined">
          <Link to={`/profiles/${id}`} sx={{ display: 'block', p: 1.5, color: 'text.primary', textDecoration: 'none' }}>
            <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{login}</Typography>
            {names[id] && <Typography variant="body2">{names[id]}</Typography>}
            <Typography variant="body2" color="textSecondary">
              {format.date(create_date)}
            </Typography>
            <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 0.5, flexWrap: 'wrap' }}>
              {status === 'D' && <Chip size="small" color="warning" label={translate('customers.status.D')} />}
              {pending_membership_id !== null && (
                <Chip size="small" variant="outlined" label={translate('customers.preset.requestsMembership')} />
              )}
            </Stack>
          </Link>
        </Card>
      ))}
    </Stack>
  );
}
