/** The page of one customer. The fields are saved together; the address book, the password and membership requests immediately. */
import { Box, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form, SelectInput, Title, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import { isSame } from '../api/record-diff.ts';
import { HistorySection } from '../audit/record-history.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { Section } from '../components/section.tsx';
import { PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { SaveBar } from '../forms/save-bar.tsx';
import { useSaveRecord } from '../forms/use-save-record.tsx';
import { useFormat } from '../utils/format.ts';
import { AddressBook } from './address-book.tsx';
import { EMPTY_VALUES, type LoadedCustomer, loadCustomer, PATH } from './customer-form.ts';
import { CustomerOrders } from './customer-orders.tsx';
import { MembershipInput } from './membership-input.tsx';
import { MembershipRequest } from './membership-request.tsx';
import { PasswordSection } from './password-section.tsx';
import { PrivacySection } from './privacy-section.tsx';

export default function CustomerEdit() {
  const id = Number(useParams().id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['customer', id],
    queryFn: () => loadCustomer(id),
    // A refetch in the background would change the form while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error) return <LoadError title="menu.customers" error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return <Customer key={id} initial={data} />;
}

const STATUSES = ['E', 'D'].map((id) => ({ id, name: `customers.status.${id}` }));
const KEEP_DIRTY_VALUES = { keepDirtyValues: true };

function Customer({ initial }: { initial: LoadedCustomer }) {
  const [loaded, setLoaded] = useState(initial);
  // Used as the form's key: a new number resets the form to the loaded values.
  const [formVersion, setFormVersion] = useState(0);
  const { profile, values } = loaded;
  const { id } = profile;
  const saving = useSaveRecord({
    original: loaded,
    emptyValues: EMPTY_VALUES,
    read: () => loadCustomer(id),
    write: (changed, etag) => store.patch(PATH, { profile_id: id }, changed, { ifMatch: etag }),
    onDone: reload,
  });

  async function reload(): Promise<void> {
    setLoaded(await loadCustomer(id));
    setFormVersion((version) => version + 1);
  }

  /**
   * Reloads the customer after a section has changed it without the form. If someone else has changed other fields than `changed`, the
   * form stays on its version, so that saving shows the conflict.
   */
  async function onChanged(changed: readonly string[] = []): Promise<void> {
    const latest = await loadCustomer(id);
    const otherFields = ({ values }: LoadedCustomer) =>
      Object.entries(values).filter(([name]) => !changed.includes(name));
    if (isSame(otherFields(latest), otherFields(loaded))) setLoaded(latest);
  }

  return (
    <>
      <Title title={profile.login} />
      <RecordToolbar resource="profiles" />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
        }}
      >
        <Stack spacing={2}>
          <MembershipRequest profile={profile} onDone={onChanged} />
          <Card variant="outlined" sx={{ overflow: 'visible' }}>
            <Form
              key={formVersion}
              record={{ id, ...values }}
              onSubmit={saving.submit}
              resetOptions={KEEP_DIRTY_VALUES}
              warnWhenUnsavedChanges
              formRootPathname={`/profiles/${id}`}
              noValidate
            >
              <Box sx={{ p: 2 }}>
                <CustomerDates loaded={loaded} />
                <PlainTextInput source="login" help="help.login" required />
                <SelectInput
                  source="status"
                  label="field.status"
                  choices={STATUSES}
                  helperText="help.status"
                  validate={[]}
                />
                <PlainTextInput source="status_comment" help="help.status_comment" />
                <PlainTextInput source="language" help="help.language" />
                <MembershipInput source="membership_id" />
                <MembershipInput source="pending_membership_id" help="help.pending_membership_id" />
                <PlainTextInput source="vat_id" help="help.vat_id" />
                <SwitchInput source="tax_exempt" help="help.tax_exempt" />
                <SwitchInput source="force_change_password" help="help.force_change_password" />
              </Box>
              <SaveBar isBusy={saving.isBusy} onDiscard={() => setFormVersion((version) => version + 1)} />
            </Form>
          </Card>
          <CustomerOrders profile={profile} />
          <HistorySection path={`/api/profiles/${id}`} onRestored={reload} />
        </Stack>
        <Stack spacing={2}>
          <Section title="customers.addresses">
            <AddressBook profile_id={id} onDone={onChanged} />
          </Section>
          <PasswordSection profile={profile} onDone={() => onChanged(['force_change_password'])} />
          <PrivacySection profile={profile} />
        </Stack>
      </Box>
      {saving.dialog}
    </>
  );
}

function CustomerDates({ loaded: { profile } }: { loaded: LoadedCustomer }) {
  const translate = useTranslate();
  const format = useFormat();
  const dates = (['create_date', 'first_login_date', 'last_login_date'] as const).map((field) => {
    const date = profile[field];
    return `${translate(`field.${field}`)}: ${date === null ? translate('settings.never') : format.dateTime(date)}`;
  });
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {dates.join(' · ')}
      </Typography>
      {profile.referer !== '' && (
        <Typography variant="body2" color="textSecondary" sx={{ mb: 1, overflowWrap: 'anywhere' }}>
          {translate('field.referer')}: {profile.referer}
        </Typography>
      )}
    </>
  );
}
