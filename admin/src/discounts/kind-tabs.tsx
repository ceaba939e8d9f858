/** Links between the lists of the kinds of discounts. */
import { Tab, Tabs } from '@mui/material';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { grants } from '../api/access.ts';
import { useAccess } from '../utils/use-may.tsx';
import { WRAPPED_TABS } from '../utils/wrapped-tabs.ts';
import { KINDS, type Kind } from './kinds.ts';

export function KindTabs({ kind }: { kind: Kind }) {
  const translate = useTranslate();
  const access = useAccess();
  const shown = KINDS.filter((name) => name === kind || !access || grants(access, `${name}:read`));
  return (
    <nav aria-label={translate('menu.discounts')}>
      <Tabs value={kind} role="presentation" sx={WRAPPED_TABS} slotProps={{ list: { role: 'presentation' } }}>
        {shown.map((name) => (
          <Tab
            key={name}
            value={name}
            component={Link}
            to={`/${name}`}
            role="link"
            aria-current={name === kind ? 'page' : undefined}
            aria-selected={undefined}
            tabIndex={0}
            label={translate(`discounts.kind.${name}`)}
          />
        ))}
      </Tabs>
    </nav>
  );
}
