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
  layout: Side | 'row' | 'column'
  icon: LucideIcon
}

const ALIGNMENTS: Alignment[] = [
  { label: 'Align left', layout: 'left', icon: AlignStartVertical },
  { label: 'Align centers', layout: 'center', icon: AlignCenterVertical },
  { label: 'Align right', layout: 'right', icon: AlignEndVertical },
  { label: 'Align top', layout: 'top', icon: AlignStartHorizontal },
  { label: 'Align middles', layout: 'middle', icon: AlignCenterHorizontal },
  { label: 'Align bottom', layout: 'bottom', icon: AlignEndHorizontal },
  { label: 'Distribute horizontally', layout: 'row', icon: AlignHorizontalDistributeCenter },
  { label: 'Distribute vertically', layout: 'column', icon: AlignVerticalDistributeCenter },
]

/** The alignments for a number of blocks: two blocks have no gaps to equalize, and one block has no alignment. */
export const alignmentsFor = (count: number): Alignment[] =>
  count < 2 ? [] : ALIGNMENTS.filter(({ layout }) => count > 2 || (layout !== 'row' && layout !== 'column'))
