import { TYPE_WORDS } from '../blocks/block-labels.ts'
import { useCanvas } from '../canvas-context.ts'
import { isTouched } from '../flow/touch-device.ts'
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
      className="pointer-events-none absolute inset-x-12 top-12 z-10 mx-auto w-fit max-w-full truncate rounded-round bg-accent px-16 py-4 text-12 text-on-accent shadow-float"
    >
      {tool ? placing(TYPE_WORDS[tool]) : connecting()}
    </p>
  )
}

const placing = (what: string) =>
  isTouched()
    ? `${what}: tap where it should be.`
    : `${what}: click where it should be, or press Enter for the middle. Esc stops.`

const connecting = () =>
  isTouched()
    ? 'Tap the block to connect to.'
    : 'Choose the block to connect to, by a click or by Tab and Enter. Esc stops.'
