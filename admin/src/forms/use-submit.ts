/** A small form that is submitted without react-hook-form: busy state, errors below their fields and one general error. */
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useErrorMessage, useFieldErrors } from '../utils/error-messages.ts';

export interface Submission {
  readonly isBusy: boolean;
  /** The message of an error that belongs to none of the fields. */
  readonly problem: string | undefined;
  /** Props of a text field: whether the store rejected it, and the text below it. */
  fieldProps(field: string, help?: string): { error: boolean; helperText: string | undefined };
  submit(event: FormEvent): Promise<void>;
}

/** @param fields the form's fields, by their names in the request */
export function useSubmit(fields: readonly string[], send: () => Promise<unknown>): Submission {
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const errorMessage = useErrorMessage();
  const fieldErrors = useFieldErrors();
  return {
    isBusy,
    problem,
    fieldProps: (field, help) => ({ error: errors[field] !== undefined, helperText: errors[field] ?? help }),
    async submit(event) {
      event.preventDefault();
      // React events of a dialog bubble to the form that renders it, which must not be submitted.
      event.stopPropagation();
      setBusy(true);
      setErrors({});
      setProblem(undefined);
      try {
        await send();
      } catch (error) {
        const found = error instanceof StoreProblem ? fieldErrors(error) : {};
        setErrors(found);
        if (!fields.some((field) => field in found)) setProblem(errorMessage(error));
      } finally {
        setBusy(false);
      }
    },
  };
}
