/** The screen that makes a record of the fields in it, and goes on to the record's own screen. */
import { Box, Card } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { Form, Title, useNotify, useRedirect, useTranslate } from 'react-admin';
import type { Values } from '../store/changes.ts';
import { BackBar } from './back-bar.tsx';
import { SaveBar } from './save-bar.tsx';
import { useFieldErrors, useSentence } from './sentence.ts';

interface Props {
  readonly resource: string;
  readonly title: string;
  /** The fields as they are at first. */
  readonly first: Values;
  /** Of the button. */
  readonly label: string;
  readonly maxWidth: number;
  /** Sends it. */
  create(values: Values): Promise<{ readonly data: { readonly id: number } }>;
  readonly children: ReactNode;
}

export function CreateScreen({ resource, title, first, label, maxWidth, create, children }: Props) {
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const redirect = useRedirect();
  const notify = useNotify();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();

  async function submit(values: Values): Promise<object | undefined> {
    setBusy(true);
    try {
      const { data } = await create(values);
      notify('state.saved', { type: 'success' });
      redirect('edit', resource, data.id);
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
      <Title title={translate(title)} />
      <BackBar resource={resource} />
      <Card variant="outlined" sx={{ maxWidth }}>
        <Form record={first} onSubmit={submit} noValidate>
          <Box sx={{ p: { xs: 1.5, sm: 3 } }}>{children}</Box>
          <SaveBar label={label} isBusy={isBusy} isNew />
        </Form>
      </Card>
    </>
  );
}
