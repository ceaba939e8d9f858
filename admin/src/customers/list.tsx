/** The people who can log in to the shop: found by login, by status and by membership. */
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
import { nameIn } from '../parts/address.tsx';
import { EmptyScreen } from '../parts/empty-screen.tsx';
import { ExportButton } from '../parts/export-button.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { ListFailed, SAID_IN_LIST } from '../parts/list-failed.tsx';
import { LIST } from '../parts/list-style.ts';
import { useWriter } from '../parts/money.ts';
import { NoMatch } from '../parts/no-match.tsx';
import { Questions } from '../parts/questions.tsx';
import { store } from '../store/client.ts';
import { inTurns } from '../store/data-provider.ts';

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
      queryOptions={SAID_IN_LIST}
      error={<ListFailed />}
      empty={<EmptyScreen title="customers.empty" help="customers.emptyHelp" create="customers.new" />}
      sx={LIST}
    >
      <Questions
        label="list.presets"
        questions={[
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
    <DataTable bulkActionButtons={false} rowClick="edit" empty={<NoMatch />}>
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

/** The names of the customers on this page: a customer has none but those of the address book. */
function useNames(): Readonly<Record<number, string>> {
  const { data = [] } = useListContext<ProfileOutput>();
  const ids = data.map(({ id }) => id);
  const { data: names = {} } = useQuery({
    queryKey: ['names-of-customers', ids],
    queryFn: async () => Object.fromEntries(await inTurns(ids, async (id) => [id, await nameOf(id as number)])),
    enabled: ids.length > 0,
  });
  return names;
}

async function nameOf(profile_id: number): Promise<string> {
  const { data } = await store.page('/profiles/{profile_id}/addresses', { profile_id }, { itemsPerPage: 10 });
  const own = data.find(({ is_billing }) => is_billing) ?? data.find((address) => nameIn(address) !== '');
  return own ? nameIn(own) : '';
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

/** The membership that a customer has, and the one that is asked for. */
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
  const writer = useWriter();
  const translate = useTranslate();
  return profile[field] === null ? translate('settings.never') : writer.day(profile[field]);
}

function Cards() {
  const { data, isPending, total } = useListContext<ProfileOutput>();
  const names = useNames();
  const writer = useWriter();
  const translate = useTranslate();
  if (isPending) return <Typography sx={{ p: 3 }}>{translate('state.loading')}</Typography>;
  if (total === 0) return <NoMatch />;
  return (
    <Stack component="ul" spacing={1} sx={{ listStyle: 'none', m: 0, p: 1 }}>
      {data?.map(({ id, login, status, pending_membership_id, create_date }) => (
        <Card key={id} component="li" variant="outlined">
          <Link to={`/profiles/${id}`} sx={{ display: 'block', p: 1.5, color: 'text.primary', textDecoration: 'none' }}>
            <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{login}</Typography>
            {names[id] && <Typography variant="body2">{names[id]}</Typography>}
            <Typography variant="body2" color="textSecondary">
              {writer.day(create_date)}
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
