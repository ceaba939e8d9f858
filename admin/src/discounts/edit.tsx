/** The page of a sale discount, a volume discount or a coupon. */
import { Box, Button, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Confirm, Form, Title, useRedirect, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { createRecord, deleteRecord, readRecord, updateRecord } from '../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { SaveBar } from '../forms/save-bar.tsx';
import { textIn } from '../forms/translated-texts.ts';
import { useSaveRecord } from '../forms/use-save-record.tsx';
import { useTranslatedRecord } from '../forms/use-translated-record.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { linkText, readNames } from './conflict-texts.ts';
import { checkPeriod, EMPTY_VALUES, type LoadedDiscount, loadDiscount, normalized, TEXTS } from './discount-form.ts';
import { DiscountFields } from './fields.tsx';
import { type Discount, type Kind, useDiscountTexts, useKind } from './kinds.ts';
import { usePeriodText } from './period.ts';
import { StatusChip } from './status-chip.tsx';

export default function DiscountEdit() {
  const kind = useKind();
  const id = Number(useParams().id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['discount', kind, id],
    queryFn: () => loadDiscount(kind, id),
    // A refetch in the background would change the form while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error) return <LoadError title="menu.discounts" error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return <DiscountPage key={`${kind}/${id}`} kind={kind} initial={data} />;
}

const KEEP_DIRTY_VALUES = { keepDirtyValues: true };

function DiscountPage({ kind, initial }: { kind: Kind; initial: LoadedDiscount }) {
  const [loaded, setLoaded] = useState(initial);
  // Used as the form's key: a new number resets the form to the loaded values.
  const [formVersion, setFormVersion] = useState(0);
  const translate = useTranslate();
  const { nameOf } = useDiscountTexts();
  /** What was submitted last, and the names of the records that a conflict shows. */
  const mine = useRef<Values>({});
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const { discount, values } = loaded;
  const { id } = discount;
  const write = useWrite(kind, id);
  const saving = useSaveRecord({
    original: loaded,
    emptyValues: EMPTY_VALUES,
    labelOf: (field) => labelOf(field, translate),
    textOf: (field, value) => linkText(names, field, value),
    async read() {
      const theirs = await loadDiscount(kind, id);
      setNames(await readNames([values, mine.current, theirs.values]));
      return theirs;
    },
    write,
    async onDone() {
      setLoaded(await loadDiscount(kind, id));
      setFormVersion((version) => version + 1);
    },
  });

  async function submit(submitted: Values): Promise<object | undefined> {
    mine.current = submitted;
    return checkPeriod(submitted, translate) ?? saving.submit(normalized(submitted));
  }

  return (
    <>
      <Title title={nameOf(discount)} />
      <RecordToolbar resource={kind}>
        <DeleteDiscount kind={kind} discount={discount} etag={loaded.etag} />
      </RecordToolbar>
      <Card variant="outlined" sx={{ maxWidth: 760, overflow: 'visible' }}>
        <Form
          key={formVersion}
          record={{ id, ...values }}
          onSubmit={submit}
          resetOptions={KEEP_DIRTY_VALUES}
          warnWhenUnsavedChanges
          formRootPathname={`/${kind}/${id}`}
          noValidate
        >
          <Box sx={{ p: { xs: 1.5, sm: 3 } }}>
            <Summary discount={discount} />
            <DiscountFields kind={kind} />
          </Box>
          <SaveBar isBusy={saving.isBusy} onDiscard={() => setFormVersion((version) => version + 1)} />
        </Form>
      </Card>
      {saving.dialog}
    </>
  );
}

/** Saves the fields, then the texts of other languages. */
function useWrite(kind: Kind, id: number) {
  const one = `/${kind}/{id}` as const;
  return useTranslatedRecord(id, TEXTS, {
    create: async (own) => (await createRecord(`/${kind}` as const, {}, own as never)).data.id,
    patch: (record, own, ifMatch) => updateRecord(one, { id: record }, own as never, { ifMatch }),
    patchTexts: (record, texts, language) => store.patch('/sale_discounts/{id}', { id: record }, texts, { language }),
    removeTexts: (record, code) => store.delete('/sale_discounts/{id}/translations/{code}', { id: record, code }),
    readEtag: async (record) => (await readRecord(one, { id: record })).etag!,
  });
}

function labelOf(field: string, translate: ReturnType<typeof useTranslate>): string {
  const text = textIn(field);
  if (text) return `${translate(`field.${text.field}`)} (${text.code})`;
  return translate(`discounts.field.${field}`, { _: translate(`field.${field}`) });
}

/** The status, the period, and how many orders use a coupon. */
function Summary({ discount }: { discount: Discount }) {
  const periodText = usePeriodText();
  const { usesOf } = useDiscountTexts();
  return (
    <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', mb: 2 }}>
      <StatusChip discount={discount} />
      <Typography variant="body2" color="textSecondary">
        {periodText(discount)}
        {'uses' in discount && ` · ${usesOf(discount)}`}
      </Typography>
    </Stack>
  );
}

function DeleteDiscount({ kind, discount, etag }: { kind: Kind; discount: Discount; etag: string }) {
  const [isConfirming, setConfirming] = useState(false);
  const translate = useTranslate();
  const redirect = useRedirect();
  const action = useAction('discounts.deleted');
  const { nameOf } = useDiscountTexts();
  if (!useMayWrite()) return null;

  async function remove(): Promise<void> {
    setConfirming(false);
    const isDeleted = await action.run(() =>
      deleteRecord(`/${kind}/{id}` as const, { id: discount.id }, { ifMatch: etag }),
    );
    if (isDeleted) redirect('list', kind);
  }

  return (
    <>
      <Button color="error" size="small" onClick={() => setConfirming(true)} loading={action.isBusy}>
        {translate('button.delete')}
      </Button>
      {isConfirming && (
        <Confirm
          isOpen
          title={`${translate('button.delete')}: ${nameOf(discount)}`}
          content={translate(`discounts.delete.${kind}`)}
          onClose={() => setConfirming(false)}
          onConfirm={() => void remove()}
        />
      )}
    </>
  );
}
