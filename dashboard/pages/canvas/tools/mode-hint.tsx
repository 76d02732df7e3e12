import { TYPE_WORDS } from '../blocks/block-words.ts'
import { useCanvas } from '../canvas-context.ts'
import { placed } from './tools.ts'

/** Says what the next click does, while it does something unusual. */
export function ModeHint() {
  const { desk } = useCanvas()
  const isConnecting = desk.connecting.use() !== null
  const tool = placed(desk.tool.use())
  if (!isConnecting && !tool) return null
  return (
    <p
      role="status"
      className="pointer-events-none absolute top-12 left-1/2 z-10 max-w-full -translate-x-1/2 truncate rounded-round bg-accent px-16 py-4 text-12 text-on-accent shadow-float"
    >
      {isConnecting
        ? 'Choose the block to connect to, by a click or by Tab and Enter. Esc stops.'
        : `${TYPE_WORDS[tool!]}: click where it should be, or press Enter for the middle. Esc stops.`}
    </p>
  )
}
