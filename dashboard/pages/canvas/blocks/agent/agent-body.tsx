import { Markdown } from '../../../../components/markdown/markdown.tsx'
import { runAgentBlock } from '../../actions/agent-runs.ts'
import { useCanvas } from '../../canvas-context.ts'
import type { BodyProps } from '../body-props.ts'
import { TextEditor } from '../text-editor.tsx'
import { AgentHeader } from './agent-header.tsx'
import { AgentOutput } from './agent-output.tsx'
import { agentStateOf } from './agent-state.ts'
import { AgentStateRow } from './agent-state-row.tsx'

/** Instructions for an agent, with the state of its last run and its answer. */
export function AgentBody({ block, editing, canEdit }: BodyProps) {
  const canvas = useCanvas()
  const state = agentStateOf(block)
  const canRun = canEdit && !canvas.isGuest
  const isAnswered = Boolean(state?.output) && editing !== 'content'
  return (
    <div className="flex size-full flex-col overflow-hidden rounded-panel text-13">
      <AgentHeader block={block} state={state} editing={editing} canRun={canRun} />
      <div className={`min-h-24 overflow-hidden px-12 py-8 ${isAnswered ? 'max-h-1/3 shrink-0' : 'flex-1'}`}>
        {editing === 'content' ? (
          <TextEditor
            block={block}
            field="content"
            label="Agent instructions"
            multiline
            placeholder="What should the agent do? Connected blocks are its input."
            onConfirm={canRun ? () => void runAgentBlock(canvas, block.id) : undefined}
          />
        ) : block.content ? (
          <Markdown text={block.content.slice(0, SHOWN_MAX)} />
        ) : (
          <p className="text-neutral-11">No instructions</p>
        )}
      </div>
      {state && <AgentStateRow state={state} canRun={canRun} />}
      {isAnswered && <AgentOutput id={block.id} text={state!.output!} />}
    </div>
  )
}

/** The editor shows all of a longer text. */
const SHOWN_MAX = 4000
