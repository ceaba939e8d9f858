/** What the session may do on a screen. Controls whose scope it lacks are not rendered. */
import { createContext, type ReactNode, useContext } from 'react';
import { usePermissions } from 'react-admin';
import { type Access, grants, type Scope } from '../api/access.ts';

const Family = createContext('');

/** Declares the family of the records that a part of the page changes. */
export function ScopeFamily({ name, children }: { name: string; children: ReactNode }) {
  return <Family.Provider value={name}>{children}</Family.Provider>;
}

/** Returns undefined until the session is known. */
export function useAccess(): Access | undefined {
  return usePermissions<Access | undefined>().permissions;
}

/** Whether the session has this scope; false until that is known. */
export function useMay(scope: Scope): boolean {
  const access = useAccess();
  return access !== undefined && grants(access, scope);
}

/** Whether the session may change records of this family; of the screen's family if none is given. */
export function useMayWrite(family?: string): boolean {
  const ofScreen = useContext(Family);
  return useMay(`${family ?? ofScreen}:write`);
}

/** Whether the store shows a field, for example `Product.cost_price`, to this session. */
export function useMaySee(field: string): boolean {
  const access = useAccess();
  return access?.masks.includes(field) !== true;
}
