/** A text of a record in one language. A missing text shows as placeholder what customers see instead. */
import { useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { PlainTextInput } from './inputs.tsx';
import { RichTextInput } from './rich-text-input.tsx';
import { textName } from './translated-texts.ts';

export interface TextField {
  readonly name: string;
  /** Whether the text is HTML. */
  readonly isRich?: boolean;
  readonly lines?: number;
  /** A message key, shown in the default language. */
  readonly help?: string;
  readonly required?: boolean;
  /** A translated label; `field.<name>` if left out. */
  readonly label?: string;
}

interface Props {
  readonly field: TextField;
  readonly code: string;
  readonly isDefault: boolean;
  /** The language has texts: an empty one is intended then, and the default language does not replace it. */
  readonly hasTexts: boolean;
}

export function TranslatedText({ field, code, isDefault, hasTexts }: Props) {
  const { name, isRich, lines, help, required, label } = field;
  const translate = useTranslate();
  const fallback = useWatch({ name });
  const hasFallback = !isDefault && (!hasTexts || required === true);
  const common = {
    source: isDefault ? name : textName(code, name),
    label: label ?? translate(`field.${name}`),
    lang: code,
    ...(hasFallback ? { placeholder: fallback ?? '' } : {}),
  };
  if (isRich) return <RichTextInput {...common} />;
  return (
    <PlainTextInput
      {...common}
      required={isDefault && required === true}
      {...(lines === undefined ? {} : { lines })}
      {...(isDefault && help ? { help } : {})}
    />
  );
}
