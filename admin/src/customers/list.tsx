/** The customer list. */
import GuestIcon from '@mui/icons-material/PersonOutlined';
import { Chip, Stack, type Theme, Typography, useMediaQuery } from '@mui/material';
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
  SelectInput,
  TextField,
  TopToolbar,
  useRecordContext,
  useTranslate,
} from 'react-admin';
import { Link as RouterLink } from 'react-router-dom';
import { CardList } from '../components/card-list.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { FilterPresets } from '../components/filter-presets.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { NoResults } from '../components/no-results.tsx';
import { SearchFilter } from '../components/search-filter.tsx';
import { useFormat } from '../utils/format.ts';
import { useMay, useMayWrite } from '../utils/use-may.tsx';

const STATUSES = ['E', 'D'].map((id) => ({ id, name: `customers.status.${id}` }));

const byName = (text: string) => ({ name: text });

const filters = [
  <SearchFilter key="search" source="searchFakeField" help="customers.searchHelp" alwaysOn />,
  <SelectInput key="status" source="status" label="field.status" choices={STATUSES} />,
  ...['membership_id', 'pending_membership_id'].map((source) => (
    <ReferenceInput key={source} source={source} label={`field.${source}`} reference="memberships">
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
      empty={
        <EmptyList title="customers.empty" help="customers.emptyHelp" create="customers.new">
          <GuestsButton />
        </EmptyList>
      }
      sx={LIST_STYLES}
    >
      <FilterPresets
        label="list.presets"
        screen="profiles"
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
      <FilterButton disableSaveQuery />
      <ExportButton path="/profiles" name="customers" />
      <GuestsButton />
      {mayWrite && <CreateButton label="customers.new" variant="contained" />}
    </TopToolbar>
  );
}

/** Orders without a customer, which the list cannot show. */
function GuestsButton() {
  const mayExport = useMay('privacy:export');
  if (!mayExport) return null;
  return (
    <Button component={RouterLink} to="/guests" label="guests.title">
      <GuestIcon />
    </Button>
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

function Login() {
  const { id, login } = useRecordContext<ProfileOutput>()!;
  return (
    <Link to={`/profiles/${id}`} sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
      {login}
    </Link>
  );
}

function Name() {
  const { display_name } = useRecordContext<ProfileOutput>()!;
  return display_name || '–';
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
  const format = useFormat();
  const translate = useTranslate();
  return (
    <CardList<ProfileOutput> nameOf={({ login }) => login} pathOf={({ id }) => `/profiles/${id}`}>
      {({ display_name, status, pending_membership_id, create_date }, link) => (
        <>
          {link}
          {display_name && <Typography variant="body2">{display_name}</Typography>}
          <Typography variant="body2" color="textSecondary">
            {format.date(create_date)}
          </Typography>
          <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 0.5, flexWrap: 'wrap' }}>
            {status === 'D' && <Chip size="small" color="warning" label={translate('customers.status.D')} />}
            {pending_membership_id !== null && (
              <Chip size="small" variant="outlined" label={translate('customers.preset.requestsMembership')} />
            )}
          </Stack>
        </>
      )}
    </CardList>
  );
}
