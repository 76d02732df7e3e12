import { textWithNames } from '../../../contract/text-with-names.ts'
import type { Model } from '../../api/models.ts'
import { priceLabel } from '../../components/amounts.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Status } from '../../components/status.tsx'
import type { Column } from '../../components/table/table.tsx'

const UNKNOWN = '–'

/** `onEdit` is absent for members, who cannot set prices. */
export const modelColumns = (onEdit?: (model: Model) => void): Column<Model>[] => [
  {
    header: 'Model',
    wide: true,
    cell: ({ id, name, isTest, availability }) => (
      <span className="flex min-w-0 items-center gap-8">
        <span className="truncate font-mono text-12" title={name}>
          {id}
        </span>
        {isTest && <Badge accent>test</Badge>}
        {availability === 'unavailable' && <Status meaning="bad">Unavailable</Status>}
      </span>
    ),
  },
  {
    header: 'Abilities',
    visibleFrom: 'extra-wide',
    cell: (model) => abilitiesOf(model).join(', ') || UNKNOWN,
  },
  {
    header: 'Context window',
    right: true,
    visibleFrom: 'medium',
    cell: ({ contextWindow }) => contextWindow?.toLocaleString('en-US') ?? UNKNOWN,
  },
  {
    header: 'Input / 1M',
    right: true,
    cell: ({ pricing }) => (pricing ? priceLabel(pricing.input) : UNKNOWN),
  },
  {
    header: 'Output / 1M',
    right: true,
    cell: ({ pricing }) => (pricing ? priceLabel(pricing.output) : UNKNOWN),
  },
  ...(onEdit ? [editColumn(onEdit)] : []),
]

const editColumn = (onEdit: (model: Model) => void): Column<Model> => ({
  header: 'Price and context window',
  headerHidden: true,
  right: true,
  cell: (model) =>
    !model.isTest && (
      <Button
        look={model.pricing ? 'quiet' : 'plain'}
        size="small"
        aria-label={textWithNames`Set the price of ${model.id}`}
        onClick={() => onEdit(model)}
      >
        {model.pricing ? 'Edit' : 'Set price'}
      </Button>
    ),
})

const abilitiesOf = ({ tools, reasoning, modalities }: Model) => [
  ...(tools ? ['tools'] : []),
  ...(reasoning ? ['reasoning'] : []),
  ...(modalities.input.includes('image') ? ['images'] : []),
]
