/** Customers who can log in to the shop (profiles.md §1). The shop asks for them with a key; no customer has a key. */
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
  text,
  timestamp,
} from '../../engine/vocabulary.ts';
import { EMAIL_FORM } from '../rules/customers/email.ts';
import { checkAccess, USES_OF_PROFILE } from '../rules/customers/profile.ts';

const OUTPUT_ONLY: readonly Group[] = ['all', 'read'];

export const profile = resource({
  name: 'Profile',
  group: 'Profiles',
  description: 'A customer who can log in to the shop.',
  fields: {
    login: text({
      required: true,
      lengthMin: 5,
      lengthMax: 128,
      form: EMAIL_FORM,
      unique: true,
      distinct: 'loosely',
      searchable: true,
      description: 'An e-mail address. No two differ only by case.',
      example: 'ada@example.com',
    }),
    password: secret({
      lengthMin: 8,
      lengthMax: 128,
      description:
        'Only a hash of it is stored, and no answer has it. Left out of a PUT it stays; null takes it away, so that nobody can log in.',
      example: 'correct horse battery',
    }),
    access_level: integer({
      min: 0,
      max: 100,
      default: 0,
      description: 'Always 0, a customer. Administrators of the store have API keys.',
    }),
    status: choice(['E', 'D'], { default: 'E', description: '`E` enabled, `D` disabled: nobody can log in.' }),
    status_comment: text({ lengthMax: 255 }),
    referer: text({ lengthMax: 2048, description: 'The page from which the customer came first.' }),
    language: text({
      form: {
        pattern: /^(?:[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2}|-[0-9]{3})?)?$/,
        expected: 'a language code such as "de" or "pt-BR", or ""',
      },
      description: 'The language to write to the customer in; it need not be one of the store’s.',
      example: 'en',
    }),
    membership_id: reference({ to: 'Membership', nullable: true, zeroIsNull: true, onDelete: 'set null' }),
    pending_membership_id: reference({
      to: 'Membership',
      nullable: true,
      zeroIsNull: true,
      onDelete: 'set null',
      description: 'A membership that the customer has asked for.',
    }),
    force_change_password: flag({ description: 'The shop asks for a new password at the next login.' }),
    role_ids: recorded({
      schema: { type: 'array', items: { type: 'integer' } },
      default: [],
      description: 'Always empty.',
    }),
    create_date: timestamp({ stamped: 'created' }),
    first_login_date: timestamp({ groups: OUTPUT_ONLY, unpublished: true, nullable: true, shownExample: null }),
    last_login_date: timestamp({ groups: OUTPUT_ONLY, unpublished: true, nullable: true, shownExample: null }),
  },
  routes: [{ path: '/profiles/{profile_id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: [
    { field: 'login', partial: true },
    'status',
    'membership_id',
    'pending_membership_id',
    'create_date',
    'first_login_date',
    'last_login_date',
  ],
  orders: ['login', 'create_date', 'last_login_date'],
  dataSubject: { named: 'login' },
  secretCheck: {
    name: 'check_password',
    summary: 'Check the password of a profile',
    ...{ by: 'login', secret: 'password', only: { status: 'E' } },
    ...{ first: 'first_login_date', last: 'last_login_date' },
  },
  rules: rules(USES_OF_PROFILE, { check: checkAccess }),
});
