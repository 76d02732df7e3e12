import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { TONES, type Tone } from '../../../live/presence.ts'
import { shownTheme, useTheme } from '../../../state/theme.ts'
import { useCanvas } from '../canvas-context.ts'
import { tintOf } from '../model/tones.ts'

export interface Viewport {
  transform: [number, number, number]
  width: number
  height: number
}

/** At most once per frame. */
export function usePainting(isOn: boolean, paint: (element: HTMLCanvasElement, viewport: Viewport) => void) {
  const { viewModel } = useCanvas()
  const flow = useStoreApi()
  const theme = useTheme()
  const element = useRef<HTMLCanvasElement>(null)
  const latest = useRef(paint)
  useEffect(() => {
    latest.current = paint
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors depend on the theme.
  useEffect(() => {
    if (!isOn) return
    let frame = 0
    const schedule = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        if (element.current) latest.current(element.current, flow.getState())
      })
    }
    schedule()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', schedule)
    // React Flow's store also changes for other reasons, e.g. during rectangle selection.
    const onFlowChange = (current: Viewport, previous: Viewport) => {
      const isSame =
        current.transform === previous.transform &&
        current.width === previous.width &&
        current.height === previous.height
      if (!isSame) schedule()
    }
    const stops = [viewModel.rendered.subscribe(schedule), flow.subscribe(onFlowChange)]
    return () => {
      cancelAnimationFrame(frame)
      dark.removeEventListener('change', schedule)
      for (const stop of stops) stop()
    }
  }, [isOn, viewModel, flow, theme])
  return element
}

/** In device pixels. */
export function clearCanvas(element: HTMLCanvasElement, width: number, height: number) {
  const ratio = devicePixelRatio
  const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) }
  if (element.width !== size.width || element.height !== size.height) Object.assign(element, size)
  const context = element.getContext('2d')!
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, element.width, element.height)
  return { context, ratio }
}

const PLAIN = {
  selected: '--color-selection',
  line: '--color-neutral-8',
  surface: '--color-card',
  edge: '--color-neutral-7',
  group: '--color-neutral-2',
  text: '--color-neutral-12',
  working: '--color-accent-mark',
}
/** Every tone has a tint and a color. */
type ColorName = keyof typeof PLAIN | `${Tone}-tint` | Tone

const VALUES: [ColorName, string][] = [
  ...Object.entries(PLAIN).map(([name, token]): [ColorName, string] => [name as ColorName, `var(${token})`]),
  ...TONES.flatMap((tone): [ColorName, string][] => [
    [`${tone}-tint`, tintOf(tone)],
    [tone, `var(--color-${tone})`],
  ]),
]

let cached: { theme: string; colors: Record<ColorName, string> } | undefined

/** A canvas context doesn't accept CSS variables. */
export function canvasColors(element: HTMLElement): Record<ColorName, string> {
  const theme = shownTheme()
  if (cached?.theme === theme) return cached.colors
  const read = (value: string) => {
    element.style.color = value
    return getComputedStyle(element).color
  }
  cached = {
    theme,
    colors: Object.fromEntries(VALUES.map(([name, value]) => [name, read(value)])) as Record<
      ColorName,
      string
    >,
  }
  return cached.colors
}
