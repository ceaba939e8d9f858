/** Actions for the selected orders: mark as shipped, print documents, export. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import ShipIcon from '@mui/icons-material/LocalShippingOutlined';
import PrintIcon from '@mui/icons-material/PrintOutlined';
import { Button } from '@mui/material';
import { useState } from 'react';
import { useListContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { useCsvExport } from '../components/export-button.tsx';
import { useMayWrite } from '../utils/use-may.tsx';
import { BulkShipDialog } from './actions/bulk-ship-dialog.tsx';
import { FROM_LIST } from './documents/print-origin.ts';

export function OrderBulkActions() {
  const { selectedIds } = useListContext();
  const [isShipping, setShipping] = useState(false);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const { isBusy, exportAll } = useCsvExport('/orders', 'orders');
  return (
    <>
      {mayWrite && (
        <Button size="small" startIcon={<ShipIcon />} onClick={() => setShipping(true)}>
          {translate('orders.markShipped')}
        </Button>
      )}
      <Button
        size="small"
        component={Link}
        to={`/print?orders=${selectedIds.join(',')}`}
        state={FROM_LIST}
        startIcon={<PrintIcon />}
      >
        {translate('button.print')}
      </Button>
      <Button
        size="small"
        loading={isBusy}
        startIcon={<DownloadIcon />}
        onClick={() => void exportAll({ id: selectedIds })}
      >
        {translate('button.export')}
      </Button>
      {isShipping && <BulkShipDialog ids={selectedIds as number[]} onClose={() => setShipping(false)} />}
    </>
  );
}
