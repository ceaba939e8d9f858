/** The texts of a record in the other languages of the store, each language in a section that opens. */
import ExpandIcon from '@mui/icons-material/ExpandMore';
import { Accordion, AccordionDetails, AccordionSummary, Box, Chip, Typography } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFormState, useWatch } from 'react-hook-form';
import { languages } from '../api/client.ts';
import { type TextField, TranslatedText } from './translated-text.tsx';
import { textName } from './translated-texts.ts';

interface Props {
  readonly fields: readonly TextField[];
  /** Level of the heading: one more than that of the heading above. */
  readonly level?: 2 | 3;
}

export function Translations({ fields, level = 3 }: Props) {
  const translate = useTranslate();
  const others = languages.filter(({ is_default }) => !is_default);
  if (others.length === 0) return null;
  return (
    <Box component="section" aria-label={translate('texts.translations')} sx={{ mt: 2 }}>
      <Typography component={`h${level}`} variant="subtitle1" sx={{ fontWeight: 600 }}>
        {translate('texts.translations')}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {translate('texts.translationsHelp')}
      </Typography>
      {others.map(({ code, name }) => (
        <Language key={code} code={code} name={name} fields={fields} heading={level === 2 ? 'h3' : 'h4'} />
      ))}
    </Box>
  );
}

interface LanguageProps {
  readonly code: string;
  readonly name: string;
  readonly fields: readonly TextField[];
  readonly heading: 'h3' | 'h4';
}

function Language({ code, name, fields, heading }: LanguageProps) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const { errors } = useFormState();
  const values = useWatch({ name: fields.map((field) => textName(code, field.name)) }) as unknown[];
  const hasTexts = values.some((value) => typeof value === 'string' && value !== '');
  const hasError = fields.some((field) => textName(code, field.name) in errors);
  const id = `translation-${code}`;
  return (
    <Accordion
      variant="outlined"
      disableGutters
      slotProps={{ heading: { component: heading }, transition: { unmountOnExit: true } }}
      expanded={isOpen || hasError}
      onChange={(_event, open) => setOpen(open)}
    >
      <AccordionSummary expandIcon={<ExpandIcon />} id={id} aria-controls={`${id}-texts`}>
        <Typography component="span" sx={{ mr: 1 }}>
          {name}
        </Typography>
        {!hasTexts && (
          <Chip size="small" color="warning" variant="outlined" label={translate('products.untranslated')} />
        )}
      </AccordionSummary>
      <AccordionDetails sx={{ pt: 0 }}>
        {fields.map((field) => (
          <TranslatedText key={field.name} field={field} code={code} isDefault={false} hasTexts={hasTexts} />
        ))}
      </AccordionDetails>
    </Accordion>
  );
}
