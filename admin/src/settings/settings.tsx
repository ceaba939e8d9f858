import { Box, Card, Tab, Tabs } from '@mui/material';
import { Title, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { ApiKeys } from './api-keys.tsx';
import { AttributeSettings } from './attribute-settings.tsx';
import { Languages } from './languages.tsx';
import { NameTable } from './name-table.tsx';
import { Statuses } from './statuses.tsx';
import { StoreInfoTable } from './store-info.tsx';
import { Webhooks } from './webhooks.tsx';

const TABS = {
  keys: <ApiKeys />,
  store: <StoreInfoTable />,
  webhooks: <Webhooks />,
  languages: <Languages />,
  tax_classes: <NameTable key="tax_classes" resource="tax_classes" />,
  memberships: <NameTable key="memberships" resource="memberships" />,
  product_classes: <NameTable key="product_classes" resource="product_classes" />,
  attributes: <AttributeSettings />,
  tags: <NameTable key="tags" resource="tags" />,
  statuses: <Statuses />,
};

export default function Settings() {
  const { part = 'keys' } = useParams();
  const tab = part in TABS ? (part as keyof typeof TABS) : 'keys';
  const translate = useTranslate();
  const navigate = useNavigate();
  return (
    <>
      <Title title={translate('menu.settings')} />
      <Card variant="outlined" sx={{ mt: 1 }}>
        <Tabs
          value={tab}
          onChange={(_event, name) => navigate(`/settings/${name}`)}
          variant="scrollable"
          scrollButtons="auto"
          allowScrollButtonsMobile
          aria-label={translate('menu.settings')}
          sx={{ borderBottom: 1, borderColor: 'divider' }}
        >
          {Object.keys(TABS).map((name) => (
            <Tab
              key={name}
              value={name}
              id={`tab-${name}`}
              aria-controls={name === tab ? `panel-${name}` : undefined}
              label={translate(`settings.tab.${name}`)}
            />
          ))}
        </Tabs>
        <Box role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} sx={{ p: { xs: 1.5, sm: 3 } }}>
          {TABS[tab]}
        </Box>
      </Card>
    </>
  );
}
