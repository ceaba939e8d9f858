/** A new customer: the login is all that the store asks for. */
import { Box, Card } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { Form, Title, useNotify, useRedirect, useTranslate } from 'react-admin';
import { BackBar } from '../parts/back-bar.tsx';
import { FlagInput, WordsInput } from '../parts/inputs.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { useFieldErrors, useSentence } from '../parts/sentence.ts';
import { changedFields, type Values } from '../store/changes.ts';
import { store } from '../store/client.ts';
import { MembershipInput } from './membership-input.tsx';
import { PasswordInput } from './password-input.tsx';

const FIRST = { login: '', password: null, force_change_password: false, language: '', membership_id: null };

export default function CustomerCreate() {
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const redirect = useRedirect();
  const notify = useNotify();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();

  async function create(values: Values): Promise<object | undefined> {
    setBusy(true);
    try {
      const { data } = await store.post('/profiles', { login: '', ...changedFields(FIRST, values) });
      notify('state.saved', { type: 'success' });
      redirect('edit', 'profiles', data.id);
      return undefined;
    } catch (error) {
      if (error instanceof StoreProblem && error.violations.length > 0) return fieldErrors(error);
      notify(sentence(error), { type: 'error' });
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Title title={translate('customers.new')} />
      <BackBar resource="profiles" />
      <Card variant="outlined" sx={{ maxWidth: 560 }}>
        <Form record={FIRST} onSubmit={create} noValidate>
          <Box sx={{ p: { xs: 1.5, sm: 3 } }}>
            <WordsInput source="login" help="help.login" required />
            <PasswordInput />
            <FlagInput source="force_change_password" help="help.force_change_password" />
            <WordsInput source="language" help="help.language" />
            <MembershipInput source="membership_id" />
          </Box>
          <SaveBar label="customers.make" isBusy={isBusy} isNew />
        </Form>
      </Card>
    </>
  );
}
