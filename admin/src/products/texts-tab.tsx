/** The texts of a product in every language, side by side. A missing text shows as placeholder what customers see instead. */
import { Box, Button, Chip, Typography } from '@mui/material';
import { useState } from 'react';
import { Confirm, useNotify, useTranslate } from 'react-admin';
import { defaultLanguage, languages, store } from '../api/client.ts';
import { type TextField, TranslatedText } from '../forms/translated-text.tsx';
import { type Texts, textName } from '../forms/translated-texts.ts';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { TEXT_FIELDS } from './product-form.ts';
import { SearchPreview } from './search-preview.tsx';
import type { TabProps } from './types.ts';

/** Texts that are HTML. */
const RICH: readonly string[] = ['brief_description', 'description'];
const MORE: Readonly<Record<string, Omit<TextField, 'name'>>> = {
  name: { required: true },
  meta_title: { help: 'help.meta' },
  meta_description: { help: 'help.meta', lines: 2 },
};
const FIELDS: readonly TextField[] = TEXT_FIELDS.map((name) => ({ name, isRich: RICH.includes(name), ...MORE[name] }));

export function TextsTab({ loaded, onChanged }: TabProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, 280px), 1fr))` }}>
      {languages.map(({ code, name, is_default, enabled }) => (
        <Box key={code} component="section" aria-labelledby={`language-${code}`} sx={{ minWidth: 0 }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mb: 1, minHeight: 40, flexWrap: 'wrap' }}>
            <Typography component="h2" variant="h6" id={`language-${code}`}>
              {name}
            </Typography>
            {is_default && <Chip size="small" label={translate('products.defaultLanguage')} />}
            {!enabled && <Chip size="small" label={translate('state.disabled')} />}
            {!is_default && <Completeness texts={loaded.texts[code]} of={loaded.texts} />}
            {!is_default && loaded.texts[code] && (
              <RemoveTexts id={loaded.product.id} code={code} onChanged={onChanged} />
            )}
          </Box>
          {FIELDS.map((field) => (
            <TranslatedText
              key={field.name}
              field={field}
              code={code}
              isDefault={is_default}
              hasTexts={loaded.texts[code] !== undefined}
            />
          ))}
          {is_default && <SearchPreview />}
        </Box>
      ))}
    </Box>
  );
}

/** Marks a language without texts, or with fewer than the default language has. */
function Completeness({ texts, of }: { texts: Texts[string] | undefined; of: Texts }) {
  const translate = useTranslate();
  const original = of[defaultLanguage() ?? ''];
  const missing = TEXT_FIELDS.filter((field) => original?.[field] && !texts?.[field]);
  if (missing.length === 0) return null;
  return (
    <Chip
      size="small"
      color="warning"
      variant="outlined"
      label={
        texts ? translate('products.textsMissing', { smart_count: missing.length }) : translate('products.untranslated')
      }
    />
  );
}

function RemoveTexts({ id, code, onChanged }: { id: number; code: string; onChanged(changed: string): Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  if (!useMayWrite()) return null;

  async function remove(): Promise<void> {
    setOpen(false);
    try {
      await store.delete('/products/{id}/translations/{code}', { id, code });
      await onChanged(textName(code, ''));
    } catch (error) {
      notify(errorMessage(error), { type: 'error' });
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
        onConfirm={() => void remove()}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
