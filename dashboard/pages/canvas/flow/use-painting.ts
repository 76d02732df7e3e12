import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useTheme } from '../../../state/theme.ts'
import { useCanvas } from '../canvas-context.ts'

export interface Sight {
  transform: [number, number, number]
  width: number
  height: number
}

/** Paints when the board, the view or the theme has changed, once per frame at most. */
export function usePainting(isOn: boolean, paint: (paper: HTMLCanvasElement, sight: Sight) => void) {
  const { board } = useCanvas()
  const flow = useStoreApi()
  const theme = useTheme()
  const paper = useRef<HTMLCanvasElement>(null)
  const latest = useRef(paint)
  useEffect(() => {
    latest.current = paint
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is painted in other colours.
  useEffect(() => {
    if (!isOn) return
    let frame = 0
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        if (paper.current) latest.current(paper.current, flow.getState())
      })
    }
    later()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', later)
    // The library tells of much else, such as every step of a frame that is drawn.
    const look = (now: Sight, before: Sight) => {
      const isSame =
        now.transform === before.transform && now.width === before.width && now.height === before.height
      if (!isSame) later()
    }
    const stops = [board.drawn.subscribe(later), flow.subscribe(look)]
    return () => {
      cancelAnimationFrame(frame)
      dark.removeEventListener('change', later)
      for (const stop of stops) stop()
    }
  }, [isOn, board, flow, theme])
  return paper
}

/** Makes the paper as fine as the screen and empties it. */
export function cleared(paper: HTMLCanvasElement, width: number, height: number) {
  const ratio = devicePixelRatio
  const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) }
  if (paper.width !== size.width || paper.height !== size.height) Object.assign(paper, size)
  const pen = paper.getContext('2d')!
  pen.setTransform(1, 0, 0, 1, 0, 0)
  pen.clearRect(0, 0, paper.width, paper.height)
  return { pen, ratio }
}
