import {
  Calendar,
  CircleDot,
  Hash,
  Link2,
  type LucideIcon,
  SquareCheck,
  TextCursorInput,
  Wallet,
} from 'lucide-react'
import type { ColumnType, FilterOp } from '../../../../contract/projects/table-options.ts'
import { t } from '../../../../contract/text.ts'
import type { TableColumn } from '../../../api/tables.ts'

export const TYPES: Record<ColumnType, { label: string; icon: LucideIcon }> = {
  text: { label: t`Text`, icon: TextCursorInput },
  number: { label: t`Number`, icon: Hash },
  money: { label: t`Money`, icon: Wallet },
  date: { label: t`Date`, icon: Calendar },
  boolean: { label: t`Checkbox`, icon: SquareCheck },
  choice: { label: t`Choice`, icon: CircleDot },
  link: { label: t`Link`, icon: Link2 },
}

export const OPS: Record<FilterOp, string> = {
  eq: t`is`,
  ne: t`is not`,
  gt: t`is more than`,
  gte: t`is at least`,
  lt: t`is less than`,
  lte: t`is at most`,
  contains: t`contains`,
  not_contains: t`doesn’t contain`,
  starts_with: t`starts with`,
  in: t`is one of`,
  not_in: t`is none of`,
  empty: t`is empty`,
  not_empty: t`isn’t empty`,
}

type Choice = NonNullable<TableColumn['choices']>[number]

/** Choices keep their ids and colors, also if lines were edited: as many as were removed are new names of those. */
export function editChoices(choices: readonly Choice[], names: readonly string[]) {
  const removed = choices.filter(({ name }) => !names.includes(name))
  const added = names.filter((name) => !choices.some((choice) => choice.name === name))
  const renamed = removed.length === added.length ? removed : []
  return names.map((name) => {
    const known = choices.find((choice) => choice.name === name) ?? renamed[added.indexOf(name)]
    return { ...known, name }
  })
}
