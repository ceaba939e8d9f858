/** Languages of the store (catalog.md §11). Exactly one is the default. A language with texts cannot be deleted. */
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

/** Language, optional script and region (RFC 5646), in the letter case of the IANA registry. */
export const LANGUAGE_CODE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-[0-9]{3})?$/;

const USES = { own: ['code', 'enabled', 'is_default'], Language: ['is_default'] } as const;

export const language = resource({
  name: 'Language',
  unmaskable: true,
  group: 'Store',
  description: 'A language of the store’s texts. Exactly one language is the default.',
  identifier: { kind: 'manual', field: 'code', pattern: LANGUAGE_CODE },
  fields: {
    code: text({
      required: true,
      groups: ['all', 'read', 'insert'],
      unique: true,
      form: { pattern: LANGUAGE_CODE, expected: 'a language code such as "de", "pt-BR" or "zh-Hant"' },
      example: 'de',
    }),
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      description: 'Name of the language, usually in the language itself.',
      example: 'Deutsch',
    }),
    enabled: flag({ default: true, description: 'Whether responses can be in this language.' }),
    is_default: flag({
      description: 'Whether this is the default language. Setting it to true unsets the previous default.',
    }),
  },
  routes: [{ path: '/languages/{code}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: ['enabled'],
  defaultOrder: ['code'],
  // Writes are serialized, so that exactly one language is the default after concurrent changes.
  serialized: true,
  rules: rules(USES, { check: checkDefault, within: moveDefault, checkRemoval }),
});

type LanguageDraft = Draft<(typeof USES.own)[number]>;

function checkDefault({ values, stored, violations }: LanguageDraft): void {
  const wasDefault = stored?.is_default === true;
  if (wasDefault && values.is_default === false)
    violations.add(
      'is_default',
      'conflict',
      'The store needs a default language. Set is_default on another one instead.',
    );
  const isDefault = wasDefault || values.is_default === true;
  const isEnabled = values.enabled ?? stored?.enabled;
  if (isDefault && isEnabled === false)
    violations.add(
      'enabled',
      'conflict',
      'The default language cannot be disabled. Make another one the default first.',
    );
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
  if (stored.is_default === true)
    return 'The default language cannot be deleted. Make another language the default first.';
  if (await reads.hasTexts(stored.code as string))
    return 'A language with texts cannot be deleted. Disable it instead; its texts remain stored.';
  return undefined;
}
