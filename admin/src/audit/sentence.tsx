/** What an entry says, in a sentence with a link to the record. */
import type { AuditEntry } from 'purveyor/client';
import type { ReactNode } from 'react';
import { Link, useLocaleState, useTranslate } from 'react-admin';
import { defaultLanguage } from '../api/client.ts';
import { type Change, changesOf, parseField } from './entries.ts';
import { partResource, plain, useFieldLabels } from './field-labels.ts';
import { mainRecord, titleField } from './record-paths.ts';
import type { FoundName, RecordKey } from './use-names.ts';

interface Props {
  readonly entry: AuditEntry;
  nameOf(record: RecordKey): FoundName;
  /** Whether the page is that of the record, so that a link would lead nowhere else. */
  readonly isOwnPage?: boolean;
}

/** A character that no message contains. */
const RECORD = '\u0000';
/** The others are counted. */
const FIELDS_MAX = 3;

export function Sentence({ entry, nameOf, isOwnPage = false }: Props) {
  const translate = useTranslate();
  const fields = useChangedFields(entry);
  const isWithFields = entry.action === 'updated' && fields !== '' && !isLinkOnly(entry.resource, entry.changes);
  const place = isOwnPage && !mainRecord(entry.path ?? '').isOwner ? 'own' : 'record';
  const key = `audit.${place}.${isWithFields ? 'fields' : actionOf(entry)}`;
  const { count = 1 } = entry.changes as { readonly count?: number };
  const kind = useKind()(entry.resource);
  const text = translate(key, { fields, kind, smart_count: count, record: RECORD, _: entry.action });
  const [before, after] = text.split(RECORD);
  if (after === undefined) return text;
  return (
    <>
      {before}
      <RecordLink entry={entry} found={nameOf(mainRecord(entry.path ?? ''))} />
      {after}
    </>
  );
}

/** Failures after the first one in a minute have one entry together, and a session can end by the request of someone else. */
function actionOf({ action, actor, resource, record_id, path, changes }: AuditEntry): string {
  if (isLinkOnly(resource, changes)) return linkAction(changes, actor.id === 'mail');
  if (action === 'sign_in_failed' && resource === null) return 'sign_ins_failed';
  if (action === 'sign_in_failed' && path !== null) return 'sign_in_of_failed';
  return action === 'sign_out' && actor.id !== record_id ? 'sessions_ended' : action;
}

/** Whether only the link with which a user chooses a password has changed: an invitation, or a link for a new password. */
function isLinkOnly(resource: AuditEntry['resource'], changes: AuditEntry['changes']): boolean {
  return (
    resource === 'User' && 'link' in changes && Object.keys(changes).every((name) => /^link(?:_kind)?$/.test(name))
  );
}

/** Entries of canceled links, and those of earlier releases, have no kind. */
function linkAction(changes: AuditEntry['changes'], isMailed: boolean): string {
  const { link_kind: kind } = changes as { readonly link_kind?: Change };
  if (kind?.after === 'invite' || kind?.after === 'reset_link') return `${kind.after}_${isMailed ? 'mailed' : 'made'}`;
  return isMailed ? 'link_mailed' : 'link_changed';
}

function RecordLink({ entry, found }: { entry: AuditEntry; found: FoundName }): ReactNode {
  const translate = useTranslate();
  const { path, resource, action, record_id } = entry;
  const { collection, id, screen, isOwner } = mainRecord(path ?? '');
  const kind = useKind()(resource);
  const ownName = isOwner ? undefined : nameIn(entry);
  const number = isOwner
    ? `${translate(`family.${collection}`, { _: plain(collection) })} ${id}`
    : `${kind} ${record_id}`;
  // The settings of the store and of taxes are single records.
  const title = found.name ?? ownName ?? (id === '' ? kind : number);
  const isNumber = collection === 'orders' && title !== number;
  const name = isNumber ? translate('orders.title', { number: title }) : title;
  if (found.isPending) return '…';
  const mayExist = found.exists ?? (titleField(collection) === undefined ? isOwner || action !== 'deleted' : false);
  return (
    <>
      {screen !== undefined && mayExist ? <Link to={screen}>{name}</Link> : name}
      {isOwner && ` · ${kind} ${record_id}`}
    </>
  );
}

/** The name of a record that the entry itself has, because it was created, deleted or renamed. */
export function nameIn(entry: AuditEntry): string | undefined {
  const title = titleField(mainRecord(entry.path ?? '').collection);
  const names = changesOf(entry).flatMap(([written, change]) => {
    const { field, part, language } = parseField(written);
    return field === title && !part ? [{ change, isDefault: language === defaultLanguage() }] : [];
  });
  const { before, after }: Change = (names.find(({ isDefault }) => isDefault) ?? names[0])?.change ?? {};
  const name = after ?? before;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Returns a function that names the kind of a record. */
export function useKind(): (resource: string | null) => string {
  const translate = useTranslate();
  return (resource) => (resource === null ? '–' : translate(`resource.${resource}`, { _: resource }));
}

/** Returns the labels of the changed fields, each in quotation marks. A part is named as a whole. */
function useChangedFields(entry: AuditEntry): string {
  const translate = useTranslate();
  const [locale] = useLocaleState();
  const labels = useFieldLabels();
  const resource = entry.resource ?? '';
  const names = changesOf(entry).map(([written]) => {
    const { part } = parseField(written);
    if (!part) return labels.label(resource, written);
    const of = partResource(resource, part.name);
    return translate(`resource.${of}`, { _: plain(of) });
  });
  const quoted = [...new Set(names)].map((name) => translate('audit.quoted', { name }));
  const more = quoted.length - FIELDS_MAX;
  const shown =
    more > 1 ? [...quoted.slice(0, FIELDS_MAX), translate('audit.moreFields', { smart_count: more })] : quoted;
  return new Intl.ListFormat(locale).format(shown);
}
