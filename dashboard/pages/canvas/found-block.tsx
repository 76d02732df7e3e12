import { useEffect } from 'react'
import { goTo } from './actions/keyboard-navigation.ts'
import { useCanvas } from './canvas-context.ts'

const FRAMES_MAX = 300
/** The first viewport is set in the frame after the canvas appears. */
const FRAMES_AFTER = 3

/** Selects and centers the block of a search result, once the canvas has its viewport. */
export function FoundBlock({ id }: { id: string }) {
  const canvas = useCanvas()
  useEffect(() => {
    let frame = 0
    const show = (left: number, seen: number) => {
      const block = canvas.store.items.blocks.get(id)
      const isDrawn = canvas.view.element()?.querySelector('.react-flow__viewport') != null
      if (block && isDrawn && seen >= FRAMES_AFTER) {
        goTo(canvas, id)
        canvas.view.flyTo(block)
      } else if (left > 0) frame = requestAnimationFrame(() => show(left - 1, isDrawn ? seen + 1 : 0))
    }
    show(FRAMES_MAX, 0)
    return () => cancelAnimationFrame(frame)
  }, [canvas, id])
  return null
}
