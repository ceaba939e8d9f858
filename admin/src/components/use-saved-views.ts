/** The saved views of a list: those of the user at the store, or those in this browser if a key is signed in. */
import { useQuery } from '@tanstack/react-query';
import { type SortPayload, useStore } from 'react-admin';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { useAction } from '../utils/use-action.ts';
import { useAccess } from '../utils/use-may.tsx';

/** What a view contains besides its name. */
interface ListState {
  readonly filter: Values;
  readonly sort: SortPayload;
}

export interface SavedView extends ListState {
  readonly name: string;
}

interface SavedViews {
  readonly views: readonly SavedView[];
  /** Whether the views are only in this browser. */
  readonly isLocal: boolean;
  /** Replaces the view of the same name, if there is one. */
  save(view: SavedView): void;
  remove(name: string): void;
}

const VIEWS = '/users/me/views';
const VIEW = '/users/me/views/{id}';

export function useSavedViews(screen: string): SavedViews {
  const isLocal = useAccess()?.isUser !== true;
  const [local, setLocal] = useStore<readonly SavedView[]>(`views.${screen}`, []);
  const stored = useStoredViews(screen, !isLocal);
  if (!isLocal) return { isLocal, ...stored };
  const others = (name: string) => local.filter((view) => view.name !== name);
  return {
    isLocal,
    views: local,
    save: (view) => setLocal([...others(view.name), view]),
    remove: (name) => setLocal(others(name)),
  };
}

function useStoredViews(screen: string, enabled: boolean): Omit<SavedViews, 'isLocal'> {
  const queryFn = async () => (await store.get(VIEWS)).data;
  const { data = [], refetch } = useQuery({ queryKey: ['saved views'], queryFn, enabled });
  const action = useAction(null);
  const own = data.filter((view) => view.screen === screen);
  const idOf = (name: string) => own.find((view) => view.name === name)?.id;
  const change = (request: () => Promise<unknown>) =>
    void action.run(async () => {
      await request();
      await refetch();
    });
  return {
    views: own.flatMap(({ name, query }) => {
      const state = stateIn(query);
      return state ? [{ name, ...state }] : [];
    }),
    save({ name, filter, sort }) {
      const id = idOf(name);
      const query = JSON.stringify({ filter, sort } satisfies ListState);
      change(() =>
        id === undefined ? store.post(VIEWS, { name, screen, query }) : store.patch(VIEW, { id }, { query }),
      );
    },
    remove(name) {
      const id = idOf(name);
      if (id !== undefined) change(() => store.delete(VIEW, { id }));
    },
  };
}

/** Returns undefined for a view that another program saved in a form of its own. */
function stateIn(query: string): ListState | undefined {
  try {
    const { filter, sort } = JSON.parse(query) as Partial<ListState>;
    const isState = typeof filter === 'object' && filter !== null && typeof sort?.field === 'string';
    return isState ? { filter, sort } : undefined;
  } catch {
    return undefined;
  }
}
