/** The rules of profiles (profiles.md §1): each is a customer's, and never an administrator's, who has a key. */
import type { Draft } from '../../../engine/vocabulary.ts';

export const USES_OF_PROFILE = { own: ['access_level'] } as const;

const CUSTOMER = 0;
const ADMINISTRATOR = 100;

export function checkAccess({ sent, violations }: Draft<(typeof USES_OF_PROFILE.own)[number]>): void {
  const { access_level: level } = sent;
  if (level === ADMINISTRATOR)
    violations.add(
      'access_level',
      'choice',
      'A profile is a customer’s, with 0: who administers the store has an API key instead (/keys).',
    );
  else if (typeof level === 'number' && level !== CUSTOMER)
    violations.add('access_level', 'choice', 'This value should be 0, a customer’s.');
}
