/** The roles of staff. Someone who may not manage roles knows only those that every store has. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Role } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { grants, type Scope } from '../api/access.ts';
import { readAll } from '../api/runtime-requests.ts';
import { useAccess, useMay } from '../utils/use-may.tsx';

const ROLES_KEY = ['roles'] as const;

/** Ids of the roles that every store has. */
const PRESET_IDS: readonly number[] = [1, 2, 3, 4, 5];

export function useRoles() {
  return useQuery({ queryKey: ROLES_KEY, queryFn: () => readAll('/roles'), enabled: useMay('roles:manage') });
}

/** Returns a function that reads the roles again. */
export function useReloadRoles(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ROLES_KEY });
}

/** Returns a function that names a role. The names of preset roles are in the language of the page. */
export function useRoleName(): (id: number) => string {
  const translate = useTranslate();
  const roles = useRoles().data;
  return (id) =>
    PRESET_IDS.includes(id)
      ? translate(`staff.preset.${id}`)
      : (roles?.find((role) => role.id === id)?.name ?? translate('staff.roleNumber', { id }));
}

/** A role that can be given to a person. */
export interface RoleChoice {
  readonly id: number;
  /** Undefined if the session may not manage roles. */
  readonly role: Role | undefined;
  /** Whether the session has all its rights, without which it cannot give the role. */
  readonly mayGive: boolean;
}

export function useRoleChoices(): readonly RoleChoice[] {
  const access = useAccess();
  const roles = useRoles().data;
  const mayGive = ({ scopes }: Role): boolean =>
    access !== undefined && scopes.every((scope) => grants(access, scope as Scope));
  return roles
    ? roles.map((role) => ({ id: role.id, role, mayGive: mayGive(role) }))
    : PRESET_IDS.map((id) => ({ id, role: undefined, mayGive: true }));
}
