import { store } from '../api/client.ts';
import { changedFields } from '../api/record-diff.ts';
import { CreatePage } from '../forms/create-page.tsx';
import { PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { MembershipInput } from './membership-input.tsx';
import { PasswordInput } from './password-input.tsx';

const INITIAL_VALUES = { login: '', password: null, force_change_password: false, language: '', membership_id: null };

export default function CustomerCreate() {
  return (
    <CreatePage
      resource="profiles"
      title="customers.new"
      initialValues={INITIAL_VALUES}
      submitLabel="customers.create"
      maxWidth={560}
      create={(values) => store.post('/profiles', { login: '', ...changedFields(INITIAL_VALUES, values) })}
    >
      <PlainTextInput source="login" help="help.login" required />
      <PasswordInput />
      <SwitchInput source="force_change_password" help="help.force_change_password" />
      <PlainTextInput source="language" help="help.language" />
      <MembershipInput source="membership_id" />
    </CreatePage>
  );
}
