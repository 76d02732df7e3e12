import { Check } from 'lucide-react'
import { t } from '../../../../../contract/text.ts'
import type { TableColumn } from '../../../../api/tables.ts'
import { Name } from '../../../../components/name.tsx'
import { LinkChip } from '../links.tsx'
import { displayText, isLink } from './cell-values.ts'

const TONES: Record<string, string> = {
  gray: 'bg-hue-8-soft text-neutral-12',
  red: 'bg-hue-7-soft text-neutral-12',
  orange: 'bg-hue-2-soft text-neutral-12',
  yellow: 'bg-hue-4-soft text-neutral-12',
  green: 'bg-hue-6-soft text-neutral-12',
  teal: 'bg-hue-1-soft text-neutral-12',
  blue: 'bg-hue-3-soft text-neutral-12',
  purple: 'bg-hue-5-soft text-neutral-12',
  pink: 'bg-hue-7-soft text-neutral-12',
}
const NAMES = Object.keys(TONES)

interface CellValueProps {
  column: TableColumn
  value: unknown
  /** Links open what they name. */
  projectId?: string | undefined
}

export function CellValue({ column, value, projectId }: CellValueProps) {
  if (column.type === 'boolean') return <CheckBox isChecked={value === true} />
  if (value === undefined || value === null) return null
  if (column.type === 'choice') return <ChoicePill column={column} id={value} />
  if (isLink(value)) return <LinkChip column={column} value={value} projectId={projectId} tabIndex={-1} />
  const text = displayText(column, value)
  return (
    <span className={`truncate text-13 ${column.type === 'text' ? '' : 'tabular-nums'}`}>
      <Name>{text}</Name>
    </span>
  )
}

/** Nothing for a removed choice. */
export function ChoicePill({ column, id }: { column: TableColumn; id: unknown }) {
  const index = column.choices?.findIndex((choice) => choice.id === id) ?? -1
  const choice = column.choices?.[index]
  if (!choice) return null
  const tone = TONES[choice.color ?? NAMES[index % NAMES.length]!]!
  return (
    <span className={`truncate rounded-round px-8 py-2 text-12 ${tone}`}>
      <Name>{choice.name}</Name>
    </span>
  )
}

const CheckBox = ({ isChecked }: { isChecked: boolean }) => (
  <span
    role="img"
    aria-label={isChecked ? t`Yes` : t`No`}
    className={`flex size-16 items-center justify-center rounded-control border ${isChecked ? 'border-selection bg-selection-solid text-on-accent' : 'border-neutral-8'}`}
  >
    {isChecked && <Check aria-hidden className="size-12" />}
  </span>
)
