/** A page with a form that creates a record and then opens that record. */
import { Box, Card } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { Form, Title, useNotify, useRedirect, useTranslate } from 'react-admin';
import type { Values } from '../api/record-diff.ts';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { useErrorMessage, useFieldErrors } from '../utils/error-messages.ts';
import { SaveBar } from './save-bar.tsx';

interface Props {
  readonly resource: string;
  /** Message key. */
  readonly title: string;
  readonly initialValues: Values;
  /** Message key of the button. */
  readonly submitLabel: string;
  readonly maxWidth: number;
  /** Returns the messages of fields without which the request would be useless. */
  check?(values: Values): Readonly<Record<string, string>> | undefined;
  /** @returns the record, and the reason if a part of the values could not be saved */
  create(values: Values): Promise<{ readonly data: { readonly id: number }; readonly problem?: unknown }>;
  readonly children: ReactNode;
}

export function CreatePage({ resource, title, initialValues, submitLabel, maxWidth, check, create, children }: Props) {
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const redirect = useRedirect();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  const fieldErrors = useFieldErrors();

  async function submit(values: Values): Promise<object | undefined> {
    const missing = check?.(values);
    if (missing) return missing;
    setBusy(true);
    try {
      const { data, problem } = await create(values);
      if (problem === undefined) notify('state.saved', { type: 'success' });
      else notify(errorMessage(problem), { type: 'error' });
      redirect('edit', resource, data.id);
      return undefined;
    } catch (error) {
      if (error instanceof StoreProblem && error.violations.length > 0) return fieldErrors(error);
      notify(errorMessage(error), { type: 'error' });
      return undefined;
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Title title={translate(title)} />
      <RecordToolbar resource={resource} />
      <Card variant="outlined" sx={{ maxWidth }}>
        <Form record={initialValues} onSubmit={submit} noValidate>
          <Box sx={{ p: { xs: 1.5, sm: 3 } }}>{children}</Box>
          <SaveBar label={submitLabel} isBusy={isBusy} isNew />
        </Form>
      </Card>
    </>
  );
}
