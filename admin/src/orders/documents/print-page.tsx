/** Prints the documents of several orders at once: each is the page that the store prints, on its own sheet. */
import PrintIcon from '@mui/icons-material/PrintOutlined';
import {
  Alert,
  Box,
  Button,
  Card,
  Checkbox,
  FormControlLabel,
  GlobalStyles,
  Link as MuiLink,
  Stack,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, Fragment, useEffect, useRef, useState } from 'react';
import { Title, useLocaleState, useTranslate } from 'react-admin';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { problemOf, store } from '../../api/client.ts';
import { readAll } from '../../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../../components/loading.tsx';
import { RecordToolbar } from '../../components/record-toolbar.tsx';
import type { FROM_LIST } from './print-origin.ts';

const KINDS = ['invoice', 'credit_note', 'packing_slip'] as const;
type Kind = (typeof KINDS)[number];

interface PrintedDocument {
  readonly kind: Kind;
  readonly path: string;
  readonly html: string;
}

interface Printable {
  readonly documents: readonly PrintedDocument[];
  /** The orders without any document. */
  readonly without: readonly { readonly id: number; readonly number: string }[];
}

async function readDocuments(ids: readonly number[], locale: string): Promise<Printable> {
  const documents: PrintedDocument[] = [];
  const without: Printable['without'][number][] = [];
  for (const order_id of ids) {
    const [order, invoices, shipments] = await Promise.all([
      store.get('/orders/{id}', { id: order_id }),
      readAll('/orders/{order_id}/invoices', { order_id }),
      readAll('/orders/{order_id}/shipments', { order_id }),
    ]);
    const found = [
      ...invoices.map(({ id, kind }) => ({ kind, path: `/api/orders/${order_id}/invoices/${id}` })),
      ...shipments.map(({ id }) => ({
        kind: 'packing_slip' as const,
        path: `/api/orders/${order_id}/shipments/${id}`,
      })),
    ];
    if (found.length === 0) without.push({ id: order_id, number: order.data.order_number });
    for (const one of found) documents.push({ ...one, html: await readPage(one.path, locale) });
  }
  return { documents, without };
}

/** @throws {StoreProblem} if the store rejects the request */
async function readPage(path: string, locale: string): Promise<string> {
  const response = await fetch(path, { headers: { Accept: 'text/html', 'Accept-Language': locale } });
  const text = await response.text();
  if (response.ok) return text;
  throw problemOf('GET', path, response.status, { detail: text.replace(/<[^>]*>/g, ' ').slice(0, 200) });
}

export default function PrintPage() {
  const [search] = useSearchParams();
  const [locale] = useLocaleState();
  const ids = (search.get('orders') ?? '').split(',').map(Number).filter(Boolean);
  const { state } = useLocation() as { state: typeof FROM_LIST | null };
  const isOfOrder = ids.length === 1 && !state?.isFromList;
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['documents', ids, locale],
    queryFn: () => readDocuments(ids, locale),
    gcTime: 0,
    retry: false,
  });
  return (
    <>
      <Title title={translate('button.print')} />
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton />
      ) : (
        <Documents
          printable={data}
          back={isOfOrder ? { to: `/orders/${ids[0]}/show`, label: 'orders.backToOrder' } : undefined}
        />
      )}
    </>
  );
}

interface DocumentsProps {
  readonly printable: Printable;
  readonly back: ComponentProps<typeof RecordToolbar>['back'];
}

function Documents({ printable: { documents, without }, back }: DocumentsProps) {
  const [hidden, setHidden] = useState<ReadonlySet<Kind>>(new Set());
  const translate = useTranslate();
  const kinds = KINDS.filter((kind) => documents.some((one) => one.kind === kind));
  const shown = documents.filter(({ kind }) => !hidden.has(kind));

  function toggle(kind: Kind): void {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  }

  return (
    <>
      <GlobalStyles styles={PRINT_STYLES} />
      <Box className="no-print">
        <RecordToolbar resource="orders" back={back}>
          <Button
            variant="contained"
            startIcon={<PrintIcon />}
            disabled={shown.length === 0}
            onClick={() => window.print()}
          >
            {translate('button.print')}
          </Button>
        </RecordToolbar>
        <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
          {kinds.map((kind) => (
            <FormControlLabel
              key={kind}
              control={<Checkbox checked={!hidden.has(kind)} onChange={() => toggle(kind)} />}
              label={translate(`orders.documents.${kind}`)}
            />
          ))}
        </Stack>
        <WithoutDocuments orders={without} isEmpty={documents.length === 0} />
        {documents.length > 0 && (
          <Typography color="textSecondary" role="status" sx={{ mb: 1 }}>
            {translate('orders.documentCount', { smart_count: shown.length })}
          </Typography>
        )}
      </Box>
      {shown.map((one) => (
        <Card
          key={one.path}
          component="section"
          aria-label={translate(`orders.documents.${one.kind}`)}
          // On a phone the page scrolls sideways, also by keyboard.
          tabIndex={0}
          variant="outlined"
          sx={{ mb: 2, overflowX: 'auto', bgcolor: 'common.white', breakAfter: 'page' }}
        >
          <Sheet html={one.html} />
        </Card>
      ))}
    </>
  );
}

interface WithoutDocumentsProps {
  readonly orders: Printable['without'];
  /** No order has a document. */
  readonly isEmpty: boolean;
}

/** Names the orders without documents, and says how to create some. */
function WithoutDocuments({ orders, isEmpty }: WithoutDocumentsProps) {
  const translate = useTranslate();
  if (orders.length === 0) return null;
  return (
    <Alert severity="info" sx={{ my: 1 }}>
      {translate(isEmpty ? 'orders.nothingToPrint' : 'orders.withoutDocuments')}{' '}
      {orders.map(({ id, number }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <MuiLink component={Link} to={`/orders/${id}/show`}>
            {translate('orders.title', { number })}
          </MuiLink>
        </Fragment>
      ))}
      {'. '}
      {translate('orders.howToGetDocuments')}
    </Alert>
  );
}

/** Shows the body of a printed page with its own styles, which do not affect this page. */
function Sheet({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const texts: string[] = [];
    // The content security policy does not allow style elements, not even in a document that is only parsed.
    const content = html.replace(/<style[^>]*>([\s\S]*?)<\/style>/g, (_element, text: string) => {
      texts.push(text);
      return '';
    });
    const parsed = new DOMParser().parseFromString(content, 'text/html');
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const styles = texts.map((textContent) => {
      const sheet = new CSSStyleSheet();
      // In a shadow tree the host is what the body is in the page.
      sheet.replaceSync(textContent.replace(/(^|[},\s])(?:html|body|:root)(?=[\s,{])/g, '$1:host'));
      return sheet;
    });
    root.adoptedStyleSheets = styles;
    root.replaceChildren(...[...parsed.body.childNodes].map((node) => document.importNode(node, true)));
  }, [html]);
  return <Box ref={host} sx={{ color: 'common.black', colorScheme: 'light' }} />;
}

const PRINT_STYLES = {
  '@media print': {
    '.no-print, header, footer, nav, .RaSidebar-docked, .RaSidebar-paper': { display: 'none !important' },
    '.RaLayout-contentWithSidebar > :first-of-type:not(#main-content)': { display: 'none !important' },
    '.RaLayout-content, .RaLayout-appFrame': { padding: '0 !important', margin: '0 !important' },
    '.MuiPaper-root': { border: '0 !important' },
    body: { background: '#fff' },
  },
};
