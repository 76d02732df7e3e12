import { Copy } from '../../../../components/copy.tsx'
import { Answer } from '../../../../components/markdown/answer.tsx'
import { useCanvas } from '../../canvas-context.ts'

/** More than a block shows without scrolling. */
const SHOWN_MAX = 6000

/** The answer. The wheel scrolls it if the block is selected, and otherwise moves the canvas. */
export function AgentOutput({ id, text }: { id: string; text: string }) {
  const { viewModel } = useCanvas()
  const isSelected = viewModel.selection.useSelect(({ blocks }) => blocks.has(id))
  return (
    <section
      aria-label="Answer"
      className={`relative min-h-0 flex-1 border-neutral-6 border-t px-12 py-8 ${isSelected ? 'nowheel overflow-y-auto' : 'overflow-hidden'}`}
    >
      {isSelected && (
        <span className="nodrag sticky top-0 float-right ml-8 rounded-control bg-neutral-1">
          <Copy value={text} what="answer" />
        </span>
      )}
      <Answer text={isSelected ? text : text.slice(0, SHOWN_MAX)} />
    </section>
  )
}
