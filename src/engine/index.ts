/**
 * The engine's public API for the other layers, except declarations (`vocabulary.ts`) and adapters (`ports.ts`). No
 * other file of the engine is imported from outside.
 */

export { lowerFirst, pascalCase, plural, sentences, shortened, withArticle, words } from './english-names.ts';
export {
  isOfForm,
  isProblem,
  messages,
  Problem,
  type ProblemType,
  problem,
  problemBody,
  problemTypes,
  type ViolationCode,
  Violations,
  validationFailed,
} from './errors.ts';
export type { Environment, Field, FilterKind, JsonSchema, Languages, Reading, ShownRecord } from './field.ts';
export { FILES_PATH, IMAGES_PATH } from './fields/file.ts';
export type { Reference } from './fields/link.ts';
export { isJsonObject, type JsonObject, rejectUnknownField } from './fields/members.ts';
export { hintOf, similarName, unknownParameter, withoutSynonyms } from './hints.ts';
export { escapeHtml } from './html.ts';
export { JsonProblem, parseJson } from './json.ts';
export type { ListFieldValues } from './list-field.ts';
export { addressOf, collectionAddress, type Known, readIdentifier, recordAddress } from './model/addresses.ts';
export { dependencyResources, publishedAs, shownResources } from './model/cache-dependencies.ts';
export { createModel } from './model/create-model.ts';
export { difference, replay } from './model/migrations.ts';
export {
  displayedName,
  type ElseNone,
  fieldsAlong,
  filterNamed,
  linkedResource,
  type Model,
  type ModelField,
  type ModelFilter,
  type ModelListField,
  type ModelResource,
  type ModelRoute,
  type ModelSecretCheck,
  snakeCase,
  usingField,
} from './model/model.ts';
export { publishedRoutes, restorableRoutes } from './model/path-forms.ts';
export {
  bulkKeys,
  bulkModes,
  bulkPath,
  bulksAt,
  bulkWriteRoute,
  LANGUAGE_PARAMETER,
  translationPath,
  translationsPath,
  unassignedFields,
  writtenTexts,
} from './model/routes.ts';
export { rowFault } from './model/row-form.ts';
export { matchColumn, schemaOf } from './model/tables.ts';
export { act, needsNoBody, readAction } from './operations/act.ts';
export {
  type BulkOutcome,
  batchesOf,
  batchLinesMax,
  readBulkTask,
  type WithSlot,
  writeAtomically,
  writeLines,
} from './operations/bulk.ts';
export type { BulkForm, BulkTask } from './operations/bulk-task.ts';
export { checkSecret, readSecretSent, withSecret, wrongSecret } from './operations/check-secret.ts';
export { create } from './operations/create.ts';
export {
  dataSubjectInput,
  dataSubjectsOf,
  eraseDueParts,
  type Forgotten,
  forget,
  heldRootsOfDataSubject,
  type KnownRecord,
  known,
  type Roots,
  readNamedDataSubject,
  rootsByName,
  rootsOfDataSubject,
} from './operations/data-subjects/data-subjects.ts';
export { type DuePart, dueParts } from './operations/data-subjects/retention.ts';
export { forEachConcurrently } from './operations/for-each-concurrently.ts';
export { guardedRecord, RejectedRead } from './operations/guarded-record.ts';
export { takesImages } from './operations/images/images.ts';
export { isImage, makeThumbnail, THUMBNAIL_WIDTHS, thumbnailName } from './operations/images/thumbnail.ts';
export { parentProblem, read, unknownParent } from './operations/read.ts';
export { readChangedRecords } from './operations/reads/changed-records.ts';
export { type Export, exportRecords } from './operations/reads/export.ts';
export { type FacetedPage, listFaceted } from './operations/reads/faceted-list.ts';
export { list, listAll, listAmong, listIds, listPositions, type Page, readAll } from './operations/reads/list.ts';
export {
  type ListFieldResources,
  listFieldResources,
  listFieldValues,
  type Pause,
  readListFieldBasis,
  withListField,
} from './operations/reads/list-field.ts';
export { FIRST_PART_SIZE, nextPartSize } from './operations/reads/part-size.ts';
export { print } from './operations/reads/print.ts';
export { listAmongValued, listValued, type ValuedPage } from './operations/reads/valued-list.ts';
export { view } from './operations/reads/view.ts';
export { remove, removeInBatches } from './operations/remove.ts';
export { type Restored, restoreDeleted, targetOfDeleted } from './operations/restore/restore-deleted.ts';
export { restoreVersion } from './operations/restore/restore-version.ts';
export {
  readTranslations,
  removeTranslation,
  replaceTranslation,
  type TextsCondition,
  type Translations,
  textsIn,
} from './operations/translations.ts';
export { writeRecord } from './operations/write-record.ts';
export { API_PATH, KEYS_PATH, LOOKUP_PATH, PRIVACY_PATH, SCOPES_PATH, STATISTICS_PATH } from './own-address.ts';
export {
  type AttachmentReader,
  attachmentName,
  BindParam,
  type Clock,
  type ColumnType,
  type Database,
  DatabaseUnavailable,
  type FilePart,
  type HashedPart,
  hashIn,
  type ImageDecoder,
  ImageDecoderUnavailable,
  type ImageStore,
  ImagesUnavailable,
  isAttachment,
  LockedTooLong,
  type Migration,
  Overloaded,
  pendingMigrations,
  type Row,
  RowsParam,
  SearchGivenUp,
  type Secrets,
  type Sender,
  type Sent,
  type Statement,
  type StoredImage,
  StoreExists,
  type StoreSnapshot,
  type Table,
  type Transaction,
  type Upload,
  type Value,
} from './ports.ts';
export type { Printed, PrintedBlock, PrintedImage } from './printed.ts';
export { isFixed, readBody, type WriteMode } from './request/body.ts';
export {
  CHANGES_LIMIT_DEFAULT,
  CHANGES_LIMIT_MAX,
  CHANGES_PATH,
  CHANGES_WAIT_SECONDS_MAX,
  type ChangesQuery,
  publishedResources,
  readChangesQuery,
} from './request/changes-query.ts';
export {
  FACET_RANGES_MAX,
  FACET_VALUES_MAX,
  FACETS_MAX,
  type FacetsQuery,
  type FacetsUse,
  facetField,
  readFacetParameters,
  readFacetsQuery,
} from './request/facets-query.ts';
export { type Deciding, listDependencies } from './request/list-dependencies.ts';
export type { ListFieldUse } from './request/list-field-query.ts';
export { ESTIMATED_COUNT_MAX, hasPositions, isSortedById, positionScope } from './request/list-position.ts';
export {
  amongIdentifiers,
  CURSOR_PARAMETER,
  FACET_PARAMETERS,
  FACETS_LIMIT_PARAMETER,
  FACETS_PARAMETER,
  hasCursors,
  ITEMS_PER_PAGE_DEFAULT,
  ITEMS_PER_PAGE_MAX,
  type ListPosition,
  type ListQuery,
  linkedToOrToNone,
  readExportQuery,
  readItem,
  readListParameters,
  readListQuery,
  readPageParameter,
  rejectParameters,
} from './request/list-query.ts';
export { type OperatorName, operators, operatorsFor } from './request/operators.ts';
export { FLAGS, type Parameter, parseQueryString } from './request/query-string.ts';
export { addressed, type LinkingFields, linkingFields, withIdentifiers } from './request/references.ts';
export { FIELDS_PARAMETER, onlyFields, readItemFields } from './request/shown-fields.ts';
export { readViewParameters } from './request/view-parameters.ts';
export { SEARCH_LENGTH_MAX, SEARCH_PARAMETER, SEARCH_WORDS_MAX, searchWords } from './request/word-search.ts';
export type { Collected, Download, NamedWrite, Operation, Resource, Tutorial } from './resource.ts';
export type { Action, Actor, Identity, Quote, Tag, Uses, View } from './rules.ts';
export { fillColumn } from './sql/fill-column.ts';
export { fileHolders } from './sql/lookups.ts';
export { Statements } from './sql/shapes.ts';
export { fillTable, onlyCounts, readLastNumber, readRows } from './sql/table-rows.ts';
export { looseMatch, nameMatch, TEXT_FORMS } from './text-forms.ts';
export { formatTimestamp, isTimeZone, readTimestamp } from './time.ts';
export { formsFor, readTimestampFor, type TimestampReading } from './timestamp-forms.ts';
export { auditFaults } from './unit/audit/audit-faults.ts';
export { type ChangedField, changedField } from './unit/audit/audited-fields.ts';
export { type AuditEnd, auditEnd, chainAudit } from './unit/audit/chain.ts';
export { ERASURES_LOCK } from './unit/audit/erase-audit.ts';
export { forgetAudit } from './unit/audit/forget-audit.ts';
export { indexAudit } from './unit/audit/index-audit.ts';
export {
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
  type EqualColumn,
  readAuditAbout,
  readAuditEntry,
  readAuditPage,
} from './unit/audit/read-audit.ts';
export { type NewEntry as NewAuditEntry, writeAuditEntries } from './unit/audit/write-entries.ts';
export { type Cursor, cursorText, isExpired, readCursor } from './unit/cursor.ts';
export { hasEvaluated } from './unit/evaluated-fields.ts';
export { forgetChanges } from './unit/forget-changes.ts';
export { allowRemovals, HOLD_SETTING, holdRemovals } from './unit/held-removals.ts';
export { journalFaults } from './unit/journal-faults.ts';
export { orderChanges } from './unit/journal-order.ts';
export { JournalReader, type SeenChange } from './unit/journal-reader.ts';
export { publishRecords } from './unit/publish-records.ts';
export { readInput } from './unit/read-input.ts';
export {
  EPOCH_SETTING,
  type JournalEntry,
  type JournalPosition,
  type JournalRead,
  lastPosition,
  readJournal,
} from './unit/read-journal.ts';
export { committed, type Reads } from './unit/reads.ts';
export { releaseLeftFiles, sweepFiles } from './unit/released-files.ts';
export {
  type Condition,
  createService,
  type RequestOptions,
  readingOf,
  type Service,
  serviceAt,
  serviceIn,
  type Target,
  type Versioned,
  type Written,
} from './unit/service.ts';
export { inTrial, inUnit, type Unit } from './unit/unit.ts';
