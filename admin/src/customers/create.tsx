import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { changedFields, type Values } from '../api/record-diff.ts';
import { CreatePage } from '../forms/create-page.tsx';
import { PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { MembershipInput } from './membership-input.tsx';
import { PasswordInput } from './password-input.tsx';

const INITIAL_VALUES = {
  ...{ login: '', password: null, force_change_password: false, language: '', membership_id: null },
  ...{ tax_exempt: false, vat_id: '' },
};
const NO_NAME = { firstname: '', lastname: '' };

/** Creates the customer. Names belong to an address, so a name creates the customer's first address. */
async function create({ firstname, lastname, ...values }: Values) {
  const { data } = await store.post('/profiles', { login: '', ...changedFields(INITIAL_VALUES, values) });
  const name = changedFields(NO_NAME, { firstname, lastname });
  if (Object.keys(name).length === 0) return { data };
  try {
    await store.post('/profiles/{profile_id}/addresses', { profile_id: data.id }, name);
    return { data };
  } catch (problem) {
    return { data, problem };
  }
}

export default function CustomerCreate() {
  const translate = useTranslate();
  return (
    <CreatePage
      resource="profiles"
      title="customers.new"
      initialValues={{ ...INITIAL_VALUES, ...NO_NAME }}
      submitLabel="customers.create"
      maxWidth={560}
      check={({ login }) => (login ? undefined : { login: translate('customers.loginMissing') })}
      create={create}
    >
      <PlainTextInput source="login" help="help.login" required />
      <PlainTextInput source="firstname" />
      <PlainTextInput source="lastname" help="help.lastname" />
      <PasswordInput />
      <SwitchInput source="force_change_password" help="help.force_change_password" />
      <PlainTextInput source="language" help="help.language" />
      <MembershipInput source="membership_id" />
      <PlainTextInput source="vat_id" help="help.vat_id" />
      <SwitchInput source="tax_exempt" help="help.tax_exempt" />
    </CreatePage>
  );
}
