/** Filters and orders of lists that users have saved under a name (access.md §3). Each user sees only the own ones. */
import { sql } from 'kysely';
import {
  isProblem,
  messages,
  type Problem,
  problem,
  type Row,
  type Service,
  type Transaction,
  Violations,
  validationFailed,
} from '../../engine/index.ts';
import { param } from './accounts.ts';

export interface ViewInput {
  readonly name: string;
  /** The list that it belongs to, such as `products`. */
  readonly screen: string;
  /** Filters and order, in the form of the admin page. */
  readonly query: string;
}

export interface View extends ViewInput {
  readonly id: number;
}

const VIEWS_MAX = 50;

const TABLE = sql.table('staff_view');

/** Returns the views of a user by id. */
export async function viewsOf({ database, statements }: Service, userId: number): Promise<View[]> {
  return (await database.query(listStatement(statements), { user_id: userId })).map(viewOf);
}

export function createView(service: Service, userId: number, input: ViewInput): Promise<View | Problem> {
  return changeViews(service, userId, async (views, transaction) => {
    if (views.length >= VIEWS_MAX) return problem('conflict', `You have ${VIEWS_MAX} saved views. Delete one first.`);
    const taken = rejectName(input, views);
    if (taken) return taken;
    const insert = service.statements.get(
      'insert view',
      ({ placeholder }) => sql`insert into ${TABLE} (user_id, name, screen, query)
        values (${placeholder(param('user_id', 'integer'))}, ${placeholder(param('name', 'text'))},
          ${placeholder(param('screen', 'text'))}, ${placeholder(param('query', 'text'))}) returning id`,
    );
    const [row] = await transaction.run(insert, { user_id: userId, ...input });
    return { ...input, id: Number(row![0]) };
  });
}

/** @param guard decides whether the conditions of the request hold */
export function updateView(
  service: Service,
  userId: number,
  id: number,
  input: Partial<ViewInput>,
  guard: (view: View) => Problem | undefined,
): Promise<View | Problem> {
  return changeViews(service, userId, async (views, transaction) => {
    const view = guardedView(views, id, guard);
    if (isProblem(view)) return view;
    const changed = { ...view, ...input };
    const taken = rejectName(
      changed,
      views.filter((other) => other !== view),
    );
    if (taken) return taken;
    const update = service.statements.get(
      'update view',
      ({ placeholder }) => sql`update ${TABLE} set name = ${placeholder(param('name', 'text'))},
        screen = ${placeholder(param('screen', 'text'))}, query = ${placeholder(param('query', 'text'))}
        where id = ${placeholder(param('id', 'integer'))} returning id`,
    );
    await transaction.run(update, { ...changed });
    return changed;
  });
}

export function deleteView(
  service: Service,
  userId: number,
  id: number,
  guard: (view: View) => Problem | undefined,
): Promise<Problem | undefined> {
  return changeViews(service, userId, async (views, transaction) => {
    const view = guardedView(views, id, guard);
    if (isProblem(view)) return view;
    const remove = service.statements.get(
      'delete view',
      ({ placeholder }) => sql`delete from ${TABLE} where id = ${placeholder(param('id', 'integer'))} returning id`,
    );
    await transaction.run(remove, { id });
    return undefined;
  });
}

/** Deletes all views of a user. */
export async function deleteViewsOf({ statements }: Service, transaction: Transaction, userId: number): Promise<void> {
  const remove = statements.get(
    'delete views of user',
    ({ placeholder }) =>
      sql`delete from ${TABLE} where user_id = ${placeholder(param('user_id', 'integer'))} returning id`,
  );
  await transaction.run(remove, { user_id: userId });
}

/** Runs a change in a transaction. The changes of one user run one after another, because names and their number are limited. */
function changeViews<T>(
  { database, statements }: Service,
  userId: number,
  change: (views: readonly View[], transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.lock(`views of user ${userId}`);
    const rows = await transaction.run(listStatement(statements), { user_id: userId });
    return change(rows.map(viewOf), transaction);
  });
}

function listStatement(statements: Service['statements']) {
  return statements.get(
    'views of user',
    ({ placeholder }) =>
      sql`select id, name, screen, query from ${TABLE} where user_id = ${placeholder(param('user_id', 'integer'))} order by id`,
  );
}

function viewOf([id, name, screen, query]: Row): View {
  return { id: Number(id), name: name as string, screen: screen as string, query: query as string };
}

function guardedView(views: readonly View[], id: number, guard: (view: View) => Problem | undefined): View | Problem {
  const view = views.find((each) => each.id === id);
  return view ? (guard(view) ?? view) : unknownView();
}

export function unknownView(): Problem {
  return problem('not-found', 'There is no saved view with this id. /users/me/views lists yours.');
}

function rejectName({ name, screen }: ViewInput, others: readonly View[]): Problem | undefined {
  if (!others.some((other) => other.name === name && other.screen === screen)) return undefined;
  const violations = new Violations();
  violations.add('name', 'not_unique', messages.notUnique);
  return validationFailed(violations.list);
}
