/** Rules of profiles (profiles.md §1). Every profile is a customer; administrators have API keys instead. */
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
      'Profiles are customers. Send 0, and create an API key (/keys) for an administrator.',
    );
  else if (typeof level === 'number' && level !== CUSTOMER)
    violations.add('access_level', 'choice', 'The value must be 0 (customer).');
}
