import { Bot, FastForward, Play, Square } from 'lucide-react'
import { useState } from 'react'
import type { AgentBlockState } from '../../../../../contract/canvas/block-fields.ts'
import { Button } from '../../../../components/button.tsx'
import { leadsToAgents, runAgentBlock, stopAgentBlock } from '../../actions/agent-runs.ts'
import { useCanvas } from '../../canvas-context.ts'
import type { Block } from '../../store/items.ts'
import type { BodyProps } from '../body-props.ts'
import { TextEditor } from '../text-editor.tsx'
import { AgentChoice } from './agent-choice.tsx'
import { isActive } from './agent-state.ts'

interface AgentHeaderProps {
  block: Block
  state: AgentBlockState | null
  editing: BodyProps['editing']
  canRun: boolean
}

export function AgentHeader({ block, state, editing, canRun }: AgentHeaderProps) {
  return (
    <div className="flex shrink-0 items-center gap-8 border-neutral-6 border-b py-8 pr-8 pl-12">
      <span className="flex size-24 shrink-0 items-center justify-center rounded-round bg-accent-wash text-accent-text">
        <Bot aria-hidden className="icon" />
      </span>
      <div className="min-w-0 flex-1">
        {editing === 'title' ? (
          <TextEditor block={block} field="title" label="Title of the block" className="h-24 font-medium" />
        ) : (
          block.title && <p className="truncate font-medium text-14">{block.title}</p>
        )}
        <AgentChoice block={block} canChoose={canRun && !block.locked} />
      </div>
      {canRun && <RunButton block={block} state={state} />}
    </div>
  )
}

/** Not a tab stop: on the canvas Tab moves between blocks, and Ctrl+Enter or the menu runs the block. */
function RunButton({ block, state }: Pick<AgentHeaderProps, 'block' | 'state'>) {
  const canvas = useCanvas()
  const [isBusy, setIsBusy] = useState(false)
  const hasNext = canvas.viewModel.rendered.useSelect(() => leadsToAgents(canvas, block.id))
  const perform = async (action: Promise<unknown>) => {
    setIsBusy(true)
    await action
    setIsBusy(false)
  }
  if (isActive(state))
    return (
      <Button
        size="small"
        tabIndex={-1}
        busy={isBusy}
        className="canvas-control nodrag"
        onClick={() => perform(stopAgentBlock(canvas, block.id))}
      >
        <Square aria-hidden className="size-12 fill-current" />
        Stop
      </Button>
    )
  const isDisabled = !block.content?.trim()
  return (
    <span className="canvas-control nodrag flex shrink-0 gap-4">
      <Button
        look="primary"
        size="small"
        tabIndex={-1}
        busy={isBusy}
        disabled={isDisabled}
        title={hasNext ? 'Run this block (Ctrl Enter)' : 'Run (Ctrl Enter)'}
        onClick={() => perform(runAgentBlock(canvas, block.id))}
      >
        {!isBusy && <Play aria-hidden className="size-12 fill-current" />}
        Run
      </Button>
      {hasNext && (
        <Button
          size="small-icon"
          tabIndex={-1}
          disabled={isDisabled || isBusy}
          aria-label="Run from here"
          title="Run from here: this block, then the agent blocks that it leads to"
          onClick={() => perform(runAgentBlock(canvas, block.id, { downstream: true }))}
        >
          <FastForward aria-hidden className="size-12 fill-current" />
        </Button>
      )}
    </span>
  )
}
