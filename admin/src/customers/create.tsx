/** A new customer: the login is all that the store asks for. */
import { CreateScreen } from '../parts/create-screen.tsx';
import { FlagInput, WordsInput } from '../parts/inputs.tsx';
import { changedFields } from '../store/changes.ts';
import { store } from '../store/client.ts';
import { MembershipInput } from './membership-input.tsx';
import { PasswordInput } from './password-input.tsx';

const FIRST = { login: '', password: null, force_change_password: false, language: '', membership_id: null };

export default function CustomerCreate() {
  return (
    <CreateScreen
      resource="profiles"
      title="customers.new"
      first={FIRST}
      label="customers.create"
      maxWidth={560}
      create={(values) => store.post('/profiles', { login: '', ...changedFields(FIRST, values) })}
    >
      <WordsInput source="login" help="help.login" required />
      <PasswordInput />
      <FlagInput source="force_change_password" help="help.force_change_password" />
      <WordsInput source="language" help="help.language" />
      <MembershipInput source="membership_id" />
    </CreateScreen>
  );
}
