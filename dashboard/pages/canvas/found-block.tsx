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
    const show = (framesLeft: number, framesDrawn: number) => {
      const block = canvas.store.items.blocks.get(id)
      const isDrawn = canvas.view.element()?.querySelector('.react-flow__viewport') != null
      if (block && isDrawn && framesDrawn >= FRAMES_AFTER) {
        goTo(canvas, id)
        canvas.view.flyTo(block)
      } else if (framesLeft > 0)
        frame = requestAnimationFrame(() => show(framesLeft - 1, isDrawn ? framesDrawn + 1 : 0))
    }
    show(FRAMES_MAX, 0)
    return () => cancelAnimationFrame(frame)
  }, [canvas, id])
  return null
}
