/** The templates of mails in words. */
import { useTranslate } from 'react-admin';
import { plain } from '../audit/field-labels.ts';

/** Returns a function that names a template. A template without a message is named as in the API, without underscores. */
export function useTemplateName(): (name: string) => string {
  const translate = useTranslate();
  return (name) => translate(`mails.template.${name}`, { _: plain(name) });
}
