/** The reviews of all products: approve, reply and delete. */
import type { Theme } from '@mui/material';
import { Box, Card, Chip, Rating, Stack, Typography } from '@mui/material';
import type { ReviewOutput } from 'purveyor/client';
import {
  AutocompleteInput,
  FilterButton,
  List,
  Pagination,
  RecordContextProvider,
  ReferenceField,
  ReferenceInput,
  SelectInput,
  TextField,
  TopToolbar,
  useListContext,
  useTranslate,
} from 'react-admin';
import { EmptyList } from '../components/empty-list.tsx';
import { FilterPresets } from '../components/filter-presets.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { LoadingSkeleton } from '../components/loading.tsx';
import { NoResults } from '../components/no-results.tsx';
import { useFormat } from '../utils/format.ts';
import { ReviewActions } from './review-actions.tsx';
import { APPROVED, isApproved, PENDING } from './status.ts';

const RATINGS = [5, 4, 3, 2, 1].map((id) => ({ id, name: `${id}` }));

const bySearch = (text: string) => (text === '' ? {} : { search: text });

const filters = [
  <ReferenceInput key="product_id" source="product_id" reference="products">
    <AutocompleteInput label="reviews.product" filterToQuery={bySearch} optionText="name" />
  </ReferenceInput>,
  <SelectInput key="rating" source="rating" label="field.rating" choices={RATINGS} translateChoice={false} />,
];

export default function ReviewList() {
  return (
    <List
      title="menu.reviews"
      filters={filters}
      actions={
        <TopToolbar>
          <FilterButton disableSaveQuery />
        </TopToolbar>
      }
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      sort={{ field: 'addition_date', order: 'DESC' }}
      queryOptions={NO_ERROR_NOTIFICATION}
      error={<ListError />}
      empty={<EmptyList title="reviews.empty" help="reviews.emptyHelp" />}
      sx={LIST_STYLES}
    >
      <FilterPresets
        label="list.presets"
        screen="reviews"
        presets={[
          ['list.all', {}],
          ['reviews.preset.pending', { status: PENDING }],
          ['reviews.preset.approved', { status: APPROVED }],
        ]}
      />
      <Reviews />
    </List>
  );
}

function Reviews() {
  const { data = [], isPending, total, refetch } = useListContext<ReviewOutput>();
  if (isPending) return <LoadingSkeleton />;
  if (total === 0) return <NoResults />;
  return (
    <Stack component="ul" spacing={1} sx={{ listStyle: 'none', m: 0, p: 1 }}>
      {data.map((review) => (
        <Card key={review.id} component="li" variant="outlined" sx={{ p: 1.5 }} aria-label={review.reviewer_name}>
          <RecordContextProvider value={review}>
            <Review review={review} onChanged={async () => void (await refetch())} />
          </RecordContextProvider>
        </Card>
      ))}
    </Stack>
  );
}

/** Texts keep their line breaks. */
const PLAIN_TEXT = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;
const INDENTED = { borderLeft: 3, borderColor: 'divider', pl: 1.5, my: 1 } as const;

function Review({ review, onChanged }: { review: ReviewOutput; onChanged(): Promise<void> }) {
  const translate = useTranslate();
  const format = useFormat();
  const { rating, reviewer_name, addition_date, response, response_date } = review;
  return (
    <>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <Rating
          readOnly
          size="small"
          value={rating}
          getLabelText={(value) => translate('reviews.stars', { smart_count: value })}
          sx={{ color: ratingColor }}
        />
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{reviewer_name}</Typography>
        <Typography variant="body2" color="textSecondary">
          {format.dateTime(addition_date)}
        </Typography>
        <Chip
          size="small"
          variant="outlined"
          color={isApproved(review) ? 'default' : 'warning'}
          label={translate(`reviews.status.${review.status}`)}
        />
      </Stack>
      <ReferenceField source="product_id" reference="products" link="edit">
        <TextField source="name" sx={{ overflowWrap: 'anywhere' }} />
      </ReferenceField>
      {review.review !== '' && <Typography sx={{ ...PLAIN_TEXT, my: 1 }}>{review.review}</Typography>}
      {response !== null && (
        <Box sx={INDENTED}>
          <Typography variant="body2" color="textSecondary">
            {translate('reviews.repliedOn', { date: format.dateTime(response_date) })}
          </Typography>
          <Typography sx={PLAIN_TEXT}>{response}</Typography>
        </Box>
      )}
      <ReviewActions review={review} onChanged={onChanged} />
    </>
  );
}

const ratingColor = ({ palette }: Theme): string => palette.warning.main;
