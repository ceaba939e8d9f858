/** One customer: the fields saved together; the address book, the password and a membership that is granted at once. */
import { Box, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form, SelectInput, Title, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { BackBar } from '../parts/back-bar.tsx';
import { FlagInput, WordsInput } from '../parts/inputs.tsx';
import { useWriter } from '../parts/money.ts';
import { SaveBar } from '../parts/save-bar.tsx';
import { Section } from '../parts/section.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useSaving } from '../parts/use-saving.tsx';
import { isSame } from '../store/changes.ts';
import { store } from '../store/client.ts';
import { Addresses } from './addresses.tsx';
import { EMPTIED, type Loaded, loadCustomer, PATH } from './customer-form.ts';
import { MembershipInput } from './membership-input.tsx';
import { CustomerOrders } from './orders.tsx';
import { Password } from './password.tsx';
import { PendingMembership } from './pending-membership.tsx';
import { Privacy } from './privacy.tsx';

export default function CustomerEdit() {
  const id = Number(useParams().id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['customer', id],
    queryFn: () => loadCustomer(id),
    // A form must not change under a person's hands: it is read again when it is opened or saved.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error)
    return (
      <>
        <Title title="menu.customers" />
        <Failed error={error} onAgain={() => void refetch()} />
      </>
    );
  if (isPending) return <Reading />;
  return <Customer key={id} first={data} />;
}

const STATUSES = ['E', 'D'].map((id) => ({ id, name: `customers.status.${id}` }));
const KEEP_TYPED = { keepDirtyValues: true };

function Customer({ first }: { first: Loaded }) {
  const [loaded, setLoaded] = useState(first);
  // A changed number makes the form anew with what the store has.
  const [edition, setEdition] = useState(0);
  const { profile, values } = loaded;
  const { id } = profile;
  const saving = useSaving({
    seen: loaded,
    emptied: EMPTIED,
    read: () => loadCustomer(id),
    write: (changed, etag) => store.patch(PATH, { profile_id: id }, changed, { ifMatch: etag }),
    async onDone() {
      setLoaded(await loadCustomer(id));
      setEdition((number) => number + 1);
    },
  });

  /** The form is of the new version, unless somebody else changed more than `changed`: then saving will show it. */
  async function onParts(changed: readonly string[] = []): Promise<void> {
    const now = await loadCustomer(id);
    const others = ({ values }: Loaded) => Object.entries(values).filter(([name]) => !changed.includes(name));
    if (isSame(others(now), others(loaded))) setLoaded(now);
  }

  return (
    <>
      <Title title={profile.login} />
      <BackBar resource="profiles" />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
        }}
      >
        <Stack spacing={2}>
          <PendingMembership profile={profile} onDone={onParts} />
          <Card variant="outlined" sx={{ overflow: 'visible' }}>
            <Form
              key={edition}
              record={{ id, ...values }}
              onSubmit={saving.submit}
              resetOptions={KEEP_TYPED}
              warnWhenUnsavedChanges
              formRootPathname={`/profiles/${id}`}
              noValidate
            >
              <Box sx={{ p: 2 }}>
                <Dates loaded={loaded} />
                <WordsInput source="login" help="help.login" required />
                <SelectInput
                  source="status"
                  label="field.status"
                  choices={STATUSES}
                  helperText="help.status"
                  validate={[]}
                />
                <WordsInput source="status_comment" help="help.status_comment" />
                <WordsInput source="language" help="help.language" />
                <MembershipInput source="membership_id" />
                <MembershipInput source="pending_membership_id" help="help.pending_membership_id" />
                <FlagInput source="force_change_password" help="help.force_change_password" />
              </Box>
              <SaveBar isBusy={saving.isBusy} onDiscard={() => setEdition((number) => number + 1)} />
            </Form>
          </Card>
          <CustomerOrders profile={profile} />
        </Stack>
        <Stack spacing={2}>
          <Section title="customers.addresses">
            <Addresses profile_id={id} onDone={onParts} />
          </Section>
          <Password profile={profile} onDone={() => onParts(['force_change_password'])} />
          <Privacy profile={profile} />
        </Stack>
      </Box>
      {saving.dialog}
    </>
  );
}

function Dates({ loaded: { profile } }: { loaded: Loaded }) {
  const translate = useTranslate();
  const writer = useWriter();
  const dates = (['create_date', 'first_login_date', 'last_login_date'] as const).map((field) => {
    const moment = profile[field];
    return `${translate(`field.${field}`)}: ${moment === null ? translate('settings.never') : writer.moment(moment)}`;
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
