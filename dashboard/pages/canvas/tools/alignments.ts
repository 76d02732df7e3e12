import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  type LucideIcon,
} from 'lucide-react'
import type { Side } from '../actions/arrange.ts'

interface Alignment {
  label: string
  how: Side | 'row' | 'column'
  icon: LucideIcon
}

const ALIGNMENTS: Alignment[] = [
  { label: 'Align left', how: 'left', icon: AlignStartVertical },
  { label: 'Align centers', how: 'center', icon: AlignCenterVertical },
  { label: 'Align right', how: 'right', icon: AlignEndVertical },
  { label: 'Align top', how: 'top', icon: AlignStartHorizontal },
  { label: 'Align middles', how: 'middle', icon: AlignCenterHorizontal },
  { label: 'Align bottom', how: 'bottom', icon: AlignEndHorizontal },
  { label: 'Distribute horizontally', how: 'row', icon: AlignHorizontalDistributeCenter },
  { label: 'Distribute vertically', how: 'column', icon: AlignVerticalDistributeCenter },
]

/** The alignments for a number of blocks: two blocks have no gaps to equalize, and one block has no alignment. */
export const alignmentsFor = (count: number): Alignment[] =>
  count < 2 ? [] : ALIGNMENTS.filter(({ how }) => count > 2 || (how !== 'row' && how !== 'column'))
