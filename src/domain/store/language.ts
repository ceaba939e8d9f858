/** The store's languages (catalog.md §11). Exactly one is the default; a language that texts are written in stays. */
import {
  type Draft,
  flag,
  type Reads,
  resource,
  rules,
  type Stored,
  text,
  type UnitOfWork,
} from '../../engine/vocabulary.ts';

/** Language, script, region (RFC 5646), written as its registry has them. */
export const LANGUAGE_CODE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-[0-9]{3})?$/;

const USES = { own: ['code', 'enabled', 'is_default'], Language: ['is_default'] } as const;

export const language = resource({
  name: 'Language',
  group: 'Store',
  description: 'A language that the store’s texts are written in.',
  identifier: { kind: 'manual', field: 'code', pattern: LANGUAGE_CODE },
  fields: {
    code: text({
      required: true,
      groups: ['all', 'read', 'insert'],
      unique: true,
      form: { pattern: LANGUAGE_CODE, expected: 'a language code such as "de", "pt-BR" or "zh-Hant"' },
      example: 'de',
    }),
    name: text({ required: true, notBlank: true, lengthMax: 255, example: 'Deutsch' }),
    enabled: flag({ default: true, description: 'Requests are answered in enabled languages only.' }),
    is_default: flag({ description: 'true makes this the default in place of the present one.' }),
  },
  routes: [{ path: '/languages/{code}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: ['enabled'],
  defaultOrder: ['code'],
  // Exactly one is the default: what a write finds of the others must still be so when it commits.
  serialized: true,
  rules: rules(USES, { check: checkDefault, within: moveDefault, checkRemoval }),
});

type LanguageDraft = Draft<(typeof USES.own)[number]>;

function checkDefault({ values, stored, violations }: LanguageDraft): void {
  const wasDefault = stored?.is_default === true;
  if (wasDefault && values.is_default === false)
    violations.add('is_default', 'conflict', 'This is the default language; set is_default on another one to move it.');
  const isDefault = wasDefault || values.is_default === true;
  const isEnabled = values.enabled ?? stored?.enabled;
  if (isDefault && isEnabled === false)
    violations.add('enabled', 'conflict', 'The default language cannot be disabled.');
}

async function moveDefault({ values, shown, sent }: LanguageDraft, unit: UnitOfWork<typeof USES>): Promise<void> {
  if (values.is_default !== true) return;
  const code = shown?.code ?? sent.code;
  for (const other of await unit.find('Language', 'is_default', true))
    if (other !== code) await unit.update('Language', other, { is_default: false });
}

async function checkRemoval(
  stored: Stored<(typeof USES.own)[number]>,
  reads: Reads<typeof USES>,
): Promise<string | undefined> {
  if (stored.is_default === true) return 'This is the default language; make another one the default first.';
  if (await reads.hasTexts(stored.code as string))
    return 'Texts are written in this language; disable it instead, and they are kept.';
  return undefined;
}
