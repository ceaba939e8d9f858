/** Every text in every language, side by side; where a language has none, the text that shoppers see instead stands in grey. */
import { Box, Button, Chip, Typography } from '@mui/material';
import { useState } from 'react';
import { Confirm, useNotify, useTranslate } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { WordsInput } from '../parts/inputs.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { useSentence } from '../parts/sentence.ts';
import { languages, store } from '../store/client.ts';
import type { TabProps } from './edit.tsx';
import { TEXT_FIELDS, type TextField, textName } from './product-form.ts';

const LINES: Partial<Record<TextField, number>> = { brief_description: 2, description: 5, meta_description: 2 };
const HELP: Partial<Record<TextField, string>> = {
  description: 'help.html',
  brief_description: 'help.html',
  meta_title: 'help.meta',
  meta_description: 'help.meta',
};

export function TextsTab({ loaded, onParts }: TabProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, 280px), 1fr))` }}>
      {languages.map(({ code, name, is_default, enabled }) => (
        <Box key={code} component="section" aria-labelledby={`language-${code}`} sx={{ minWidth: 0 }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1, minHeight: 40 }}>
            <Typography component="h2" variant="h6" id={`language-${code}`}>
              {name}
            </Typography>
            {is_default && <Chip size="small" label={translate('products.defaultLanguage')} />}
            {!enabled && <Chip size="small" label={translate('state.disabled')} />}
            {!is_default && loaded.texts[code] && <DropTexts id={loaded.product.id} code={code} onParts={onParts} />}
          </Box>
          {TEXT_FIELDS.map((field) => (
            <Text
              key={field}
              field={field}
              code={code}
              isDefault={is_default}
              isOwn={loaded.texts[code] !== undefined}
            />
          ))}
        </Box>
      ))}
    </Box>
  );
}

interface TextProps {
  readonly field: TextField;
  readonly code: string;
  readonly isDefault: boolean;
  /** The language has texts of its own, so that an empty one is meant to be empty. */
  readonly isOwn: boolean;
}

function Text({ field, code, isDefault, isOwn }: TextProps) {
  const translate = useTranslate();
  const fallback = useWatch({ name: field });
  return (
    <WordsInput
      source={isDefault ? field : textName(code, field)}
      label={translate(`field.${field}`)}
      lang={code}
      required={isDefault && field === 'name'}
      {...(LINES[field] === undefined ? {} : { lines: LINES[field] })}
      {...(isDefault && HELP[field] ? { help: HELP[field] } : {})}
      {...(isDefault || (isOwn && field !== 'name') ? {} : { placeholder: fallback })}
    />
  );
}

function DropTexts({ id, code, onParts }: { id: number; code: string; onParts(changed: string): Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const sentence = useSentence();
  if (!useMayWrite()) return null;

  async function drop(): Promise<void> {
    setOpen(false);
    try {
      await store.delete('/products/{id}/translations/{code}', { id, code });
      await onParts(textName(code, ''));
    } catch (error) {
      notify(sentence(error), { type: 'error' });
    }
  }

  return (
    <>
      <Button size="small" color="error" onClick={() => setOpen(true)} sx={{ ml: 'auto' }}>
        {translate('products.removeTexts')}
      </Button>
      <Confirm
        isOpen={isOpen}
        title={translate('products.removeTexts')}
        content={translate('products.removeTextsHelp', { code })}
        onConfirm={() => void drop()}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
