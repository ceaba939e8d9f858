/** Customer profiles (profiles.md §1). Customers have no API keys; the shop accesses their profiles with its own key. */
import {
  choice,
  flag,
  type Group,
  integer,
  recorded,
  reference,
  resource,
  rules,
  secret,
  summaryOf,
  text,
  textsOf,
  timestamp,
} from '../../engine/vocabulary.ts';
import { EMAIL_FORM } from '../rules/customers/email.ts';
import { checkAccess, deriveProfile, displayName, endSessions, USES_OF_PROFILE } from '../rules/customers/profile.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

export const profile = resource({
  name: 'Profile',
  group: 'Profiles',
  description: 'A customer who can log in to the shop.',
  fields: {
    login: text({
      synonyms: ['email', 'mail', 'username'],
      required: true,
      lengthMin: 5,
      lengthMax: 128,
      form: EMAIL_FORM,
      unique: true,
      distinct: 'loosely',
      searchable: true,
      description: 'E-mail address, unique regardless of case.',
      example: 'ada@example.com',
    }),
    password: secret({
      lengthMin: 8,
      lengthMax: 128,
      description:
        'Write-only; the store saves only a hash. Unchanged if omitted from a PUT. null removes it, which disables the login.',
      example: 'correct horse battery',
    }),
    access_level: integer({
      min: 0,
      max: 100,
      default: 0,
      description: 'Always 0 (customer). Administrators use API keys instead.',
    }),
    status: choice(['E', 'D'], {
      default: 'E',
      description: '`E` enabled, `D` disabled: the customer cannot log in.',
    }),
    status_comment: text({ lengthMax: 255, description: 'Reason for the status.' }),
    referer: text({ lengthMax: 2048, description: 'Page from which the customer first came to the shop.' }),
    language: text({
      form: {
        pattern: /^(?:[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2}|-[0-9]{3})?)?$/,
        expected: 'a language code such as "de" or "pt-BR", or ""',
      },
      description: 'Language for messages to the customer. It does not have to be one of the store’s languages.',
      example: 'en',
    }),
    membership_id: reference({
      to: 'Membership',
      nullable: true,
      zeroIsNull: true,
      onDelete: 'set null',
      description: 'Id of the customer’s membership. 0 is stored as null.',
    }),
    pending_membership_id: reference({
      to: 'Membership',
      nullable: true,
      zeroIsNull: true,
      onDelete: 'set null',
      description: 'Id of the membership that the customer has requested. 0 is stored as null.',
    }),
    force_change_password: flag({ description: 'Whether the shop must request a new password at the next login.' }),
    role_ids: recorded({
      schema: { type: 'array', items: { type: 'integer' } },
      default: [],
      description: 'Always empty.',
    }),
    display_name: summaryOf('ProfileAddress', {
      reads: ['is_billing', 'firstname', 'lastname', 'company'],
      summarize: displayName,
      description: 'Name in the billing address, else in the first address with a name, else empty.',
    }),
    create_date: timestamp({ stamped: 'created' }),
    first_login_date: timestamp({ groups: OUTPUT_ONLY, unpublished: true, nullable: true, shownExample: null }),
    last_login_date: timestamp({ groups: OUTPUT_ONLY, unpublished: true, nullable: true, shownExample: null }),
    email_verified_at: timestamp({
      groups: OUTPUT_ONLY,
      nullable: true,
      shownExample: null,
      description: 'Time at which the customer confirmed the e-mail address. Becomes null when the login changes.',
    }),
    tax_exempt: flag({ preservedOnReplace: true, description: 'Whether the customer pays no tax.' }),
    vat_id: text({
      lengthMax: 32,
      preservedOnReplace: true,
      description:
        'VAT identification number with the prefix of its country. Stored in upper case without spaces, dots and hyphens. Its form and check digits must be valid.',
      example: 'DE136695976',
    }),
    searchFakeField: textsOf(['login'], {
      of: 'ProfileAddress',
      joined: [
        ['firstname', 'lastname'],
        ['lastname', 'firstname'],
      ],
    }),
  },
  routes: [{ path: '/profiles/{profile_id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: [
    { field: 'login', partial: true },
    { field: 'searchFakeField', partial: true },
    'status',
    'membership_id',
    'pending_membership_id',
    { field: 'create_date', aliases: ['added'] },
    { field: 'first_login_date', aliases: ['first_login'] },
    'last_login_date',
  ],
  orders: ['login', 'create_date', 'last_login_date'],
  lookup: { rank: 4, by: 'searchFakeField', title: 'login' },
  dataSubject: { named: 'login' },
  secretCheck: {
    name: 'check_password',
    summary: 'Check the password of a profile',
    ...{ by: 'login', secret: 'password', only: { status: 'E' } },
    ...{ first: 'first_login_date', last: 'last_login_date' },
  },
  rules: rules(USES_OF_PROFILE, { derive: deriveProfile, check: checkAccess, within: endSessions }),
});
