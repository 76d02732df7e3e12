import type { Model } from '../../../api/models.ts'
import { Badge } from '../../../components/badge.tsx'
import { Status } from '../../../components/status.tsx'
import type { Column } from '../../../components/table/table.tsx'

const UNKNOWN = '–'

export const modelColumns: Column<Model>[] = [
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
  { header: 'Input / 1M', right: true, cell: ({ pricing }) => priceOf(pricing?.input) },
  { header: 'Output / 1M', right: true, cell: ({ pricing }) => priceOf(pricing?.output) },
]

const abilitiesOf = ({ tools, reasoning, modalities }: Model) => [
  ...(tools ? ['tools'] : []),
  ...(reasoning ? ['reasoning'] : []),
  ...(modalities.input.includes('image') ? ['images'] : []),
]

const priceOf = (price: number | undefined) =>
  price === undefined ? UNKNOWN : `$${price.toLocaleString('en-US', { maximumFractionDigits: 4 })}`
