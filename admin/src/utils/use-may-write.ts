import { usePermissions } from 'react-admin';

/** Whether the session's key may change the store; false until that is known. */
export function useMayWrite(): boolean {
  return usePermissions().permissions === 'read-write';
}
