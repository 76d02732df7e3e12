import {
  ArrowLeft,
  ArrowLeftRight,
  ArrowRight,
  CornerDownRight,
  type LucideIcon,
  Minus,
  Slash,
  Spline,
} from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import type { EdgeStyle } from '../model/edge-path.ts'
import type { OpenCanvas } from '../open-canvas.ts'

interface Option<T> {
  value: T
  label: string
  icon: LucideIcon
}

export const ROUTES: Option<NonNullable<EdgeStyle['route']>>[] = [
  { value: 'curved', label: t`Curved`, icon: Spline },
  { value: 'straight', label: t`Straight`, icon: Slash },
  { value: 'orthogonal', label: t`Right angles`, icon: CornerDownRight },
]

export const ARROW_ENDS: Option<NonNullable<EdgeStyle['arrows']>>[] = [
  { value: 'end', label: t`Arrow at the end`, icon: ArrowRight },
  { value: 'start', label: t`Arrow at the start`, icon: ArrowLeft },
  { value: 'both', label: t`Arrows at both ends`, icon: ArrowLeftRight },
  { value: 'none', label: t`No arrows`, icon: Minus },
]

/** Applies defaults. */
export const withStyleDefaults = ({ color = null, route = 'curved', arrows = 'end' }: StyleInput) => ({
  color,
  route,
  arrows,
})
type StyleInput = { [Field in keyof EdgeStyle]?: EdgeStyle[Field] | null }

/** Stores only values other than the default. */
export function updateEdges({ store, viewModel }: OpenCanvas, change: StyleChange) {
  const edges = [...viewModel.selection.get().edges].flatMap((id) => {
    const edge = store.items.edges.get(id)
    return edge ? [{ id, style: withoutDefaults({ ...withStyleDefaults(edge.style), ...change }) }] : []
  })
  if (edges.length === 0) return false
  store.change({ update: { edges } })
}
type StyleChange = Partial<ReturnType<typeof withStyleDefaults>>

const withoutDefaults = ({ color, route, arrows }: ReturnType<typeof withStyleDefaults>): EdgeStyle => ({
  ...(color && { color }),
  ...(route !== 'curved' && route && { route }),
  ...(arrows !== 'end' && arrows && { arrows }),
})
