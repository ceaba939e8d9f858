/** The guide to this page, as built from docs/guides/admin.md, opened at a section. It is in English. */

import guide from 'virtual:guide';
import { Box, Card } from '@mui/material';
import { useEffect, useRef } from 'react';
import { Title, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';

export default function HelpPage() {
  const { section = '' } = useParams();
  const translate = useTranslate();
  const text = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const heading = section === '' ? null : text.current?.querySelector<HTMLElement>(`#${CSS.escape(section)}`);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView();
  }, [section]);

  return (
    <>
      <Title title={translate('menu.help')} />
      <Card variant="outlined" sx={{ mt: 1, p: { xs: 2, sm: 3 } }}>
        <Box
          ref={text}
          lang="en"
          sx={GUIDE_STYLES}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the build renders it from this project's own guide
          dangerouslySetInnerHTML={{ __html: guide }}
        />
      </Card>
    </>
  );
}

const GUIDE_STYLES = {
  maxWidth: '80ch',
  overflowWrap: 'anywhere',
  '& h2, & h3': { scrollMarginTop: 64, '&:focus': { outline: 'none' } },
  '& h3': { mt: 3, mb: 1 },
  '& p, & li': { lineHeight: 1.6 },
  '& table': { borderCollapse: 'collapse', width: '100%', my: 2 },
  '& th, & td': {
    textAlign: 'left',
    overflowWrap: 'break-word',
    verticalAlign: 'top',
    p: 1,
    borderBottom: 1,
    borderColor: 'divider',
  },
  '& code': { fontSize: '0.95em' },
  '& pre': { overflowX: 'auto', p: 1.5, bgcolor: 'action.hover', borderRadius: 1 },
} as const;
