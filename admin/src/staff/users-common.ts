/** What the screens of users have in common. */
import type { User } from 'purveyor/client';
import { useGetIdentity } from 'react-admin';

export const USERS_KEY = ['users'] as const;
export const SECOND_FACTOR_KEY = ['second-factor'] as const;

export const userPath = (id: number): string => `/staff/users/${id}`;

/** What a section of the page of a person gets. */
export interface UserSectionProps {
  readonly user: User;
  /** Reads the user again. */
  onDone(): Promise<unknown>;
}

/** Returns the id of the person who is signed in; undefined in a session of a key. */
export function useOwnUserId(): number | undefined {
  return useGetIdentity().identity?.userId as number | undefined;
}
