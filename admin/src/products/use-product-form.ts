/**
 * The state of the product page's form: the version it is based on, saving with If-Match, and conflicts. Unlike `useSaveRecord` it
 * sends the texts of other languages with requests of their own.
 */
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { changedFields, isSame, type Values } from '../api/record-diff.ts';
import type { Conflict } from '../forms/conflict-dialog.tsx';
import { textName } from '../forms/translated-texts.ts';
import { useErrorMessage, useFieldErrors } from '../utils/error-messages.ts';
import { EMPTY_VALUES, type LoadedProduct, loadProduct, saveProduct, TextsRejected, valuesOf } from './product-form.ts';

interface ProductConflict extends Conflict {
  readonly latest: LoadedProduct;
}

/** No field name begins with this. */
const NO_FIELD = 'none:';

/** @param showField opens the tab of a field that the store rejected */
export function useProductForm(initial: LoadedProduct, showField: (field: string) => void) {
  const { id } = initial.product;
  const [loaded, setLoaded] = useState(initial);
  const [conflict, setConflict] = useState<ProductConflict>();
  const [isBusy, setBusy] = useState(false);
  // Used as the form's key: a new number resets the form to the loaded values.
  const [formVersion, setFormVersion] = useState(0);
  const handleError = useSaveErrors(showField);
  const notify = useNotify();
  const values = valuesOf(loaded);

  async function reload(): Promise<void> {
    setLoaded(await loadProduct(id));
    setFormVersion((version) => version + 1);
  }

  async function send(changed: Values, etag: string, mine: Values): Promise<object | undefined> {
    setBusy(true);
    try {
      await saveProduct(id, changed, etag);
      setConflict(undefined);
      await reload();
      notify('state.saved', { type: 'success' });
      return undefined;
    } catch (error) {
      if (error instanceof StoreProblem && error.status === 412) {
        const latest = await loadProduct(id);
        setConflict({ before: values, mine, theirs: valuesOf(latest), latest });
        return undefined;
      }
      if (error instanceof TextsRejected) setLoaded(await loadProduct(id));
      return handleError(error);
    } finally {
      setBusy(false);
    }
  }

  /** Reloads the product after a tab has changed it without the form; what the user typed stays. */
  async function onChanged(fieldPrefix = NO_FIELD): Promise<void> {
    const latest = await loadProduct(id);
    const otherFields = (of: Values) => Object.entries(of).filter(([name]) => !name.startsWith(fieldPrefix));
    // If someone else has changed other fields, the form stays on its version, so that saving shows the conflict.
    if (isSame(otherFields(valuesOf(latest)), otherFields(values))) setLoaded(latest);
    else setLoaded({ ...loaded, product: { ...loaded.product, images: latest.product.images } });
  }

  return {
    ...{ loaded, values, formVersion, isBusy, conflict, reload, onChanged },
    /** For react-admin's `Form`. @returns a message for each field that the store rejected */
    submit: (submitted: Values) => send(changedFields(values, submitted, EMPTY_VALUES), loaded.etag, submitted),
    closeConflict: () => setConflict(undefined),
    saveChoice(changes: Values, { latest, theirs }: ProductConflict): void {
      setLoaded(latest);
      void send(changes, latest.etag, { ...theirs, ...changes });
    },
  };
}

/** Returns a function that shows an error of saving. It returns a message for each field that the store rejected. */
function useSaveErrors(showField: (field: string) => void): (error: unknown) => object | undefined {
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  const fieldErrors = useFieldErrors();
  return (error) => {
    if (error instanceof TextsRejected) {
      const { cause, language } = error;
      notify(translate('state.textsNotSaved', { language }), { type: 'error', autoHideDuration: 10000 });
      const errors = cause instanceof StoreProblem ? fieldErrors(cause) : {};
      return Object.fromEntries(Object.entries(errors).map(([field, text]) => [textName(language, field), text]));
    }
    if (!(error instanceof StoreProblem) || error.violations.length === 0) {
      notify(errorMessage(error), { type: 'error', autoHideDuration: 10000 });
      return undefined;
    }
    notify('state.invalidFields', { type: 'error' });
    const errors = fieldErrors(error);
    const [field] = Object.keys(errors);
    if (field !== undefined) showField(field);
    return errors;
  };
}
