import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ClipboardList, FastForward, Play, Square, SquareTerminal, Timer } from 'lucide-react'
import { useState } from 'react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { Button } from '../../../components/button.tsx'
import { AgentFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { StatusMark } from '../../../components/status.tsx'
import { leadsToAgents, runAgentBlock, stopAgentBlock } from '../actions/agent-runs.ts'
import { useCanvas } from '../canvas-context.ts'
import { isActive, readAgentId, STATES } from '../model/agent-state.ts'
import { canRunBlock, readSteps, STEP_LABELS } from '../model/block-steps.ts'
import type { Block } from '../store/items.ts'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

interface AgentHeaderProps {
  block: Block
  state: AgentBlockState | null
  editing: BodyProps['editing']
  canRun: boolean
}

export function AgentHeader({ block, state, editing, canRun }: AgentHeaderProps) {
  return (
    <div className="flex shrink-0 items-center gap-12 pt-12 pr-12 pb-8 pl-12">
      <BlockFace block={block} />
      <div className="min-w-0 flex-1">
        {editing === 'title' ? (
          <TextEditor block={block} field="title" label="Block title" className="h-24 font-medium" />
        ) : (
          block.title && <p className="truncate font-medium">{block.title}</p>
        )}
        <Does block={block} canRun={canRun} />
      </div>
      {canRun && <RunButton block={block} state={state} />}
      {state && <StatusMark meaning={STATES[state.status].meaning} />}
    </div>
  )
}

/** Its agent, or what it does instead. */
function Does({ block, canRun }: Pick<AgentHeaderProps, 'block' | 'canRun'>) {
  const { ui } = useCanvas()
  const { kind, forEach } = readSteps(block)
  const label = [kind !== 'agent' && STEP_LABELS[kind], forEach && t`For each`].filter(Boolean).join(' · ')
  return (
    <span className="flex min-w-0 items-center gap-8">
      {kind === 'agent' && <AgentChoice block={block} canChoose={canRun && !block.locked} />}
      {label && canRun && !block.locked && (
        <button
          type="button"
          tabIndex={-1}
          title="Step settings"
          onClick={() => ui.configuring.set(block.id)}
          className="nodrag truncate rounded-control text-12 text-neutral-11 hover:text-neutral-12"
        >
          {label}
        </button>
      )}
      {label && !(canRun && !block.locked) && (
        <span className="truncate text-12 text-neutral-11">{label}</span>
      )}
    </span>
  )
}

const STEP_ICONS = { code: SquareTerminal, wait: Timer, form: ClipboardList } as const

/** The default agent looks the same in every block. */
function BlockFace({ block }: { block: Block }) {
  const agent = useChosenAgent(block)
  const { kind } = readSteps(block)
  if (kind !== 'agent') {
    const Icon = STEP_ICONS[kind]
    return (
      <span className="grid size-32 shrink-0 place-items-center rounded-square bg-neutral-4 text-neutral-11">
        <Icon aria-hidden className="icon" />
      </span>
    )
  }
  const id = readAgentId(block) ?? 'default'
  return <AgentFace agent={agent ?? { id, name: '' }} size={28} />
}

/** Undefined for the default agent, and for guests, who can't read agents. */
function useChosenAgent(block: Block) {
  const { isGuest } = useCanvas()
  const { data } = useQuery({ ...agentChoicesQuery, enabled: !isGuest })
  const id = readAgentId(block)
  return data?.items.find((agent) => agent.id === id)
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
        size="small-icon"
        tabIndex={-1}
        busy={isBusy}
        aria-label="Stop"
        title="Stop"
        className="canvas-control nodrag"
        onClick={() => perform(stopAgentBlock(canvas, block.id))}
      >
        {!isBusy && <Square aria-hidden className="size-12 fill-current" />}
      </Button>
    )
  const isDisabled = !canRunBlock(block)
  return (
    <span className="canvas-control nodrag flex shrink-0 gap-4">
      <Button
        size="small-icon"
        tabIndex={-1}
        busy={isBusy}
        disabled={isDisabled}
        aria-label="Run"
        title={hasNext ? t`Run this block (Ctrl Enter)` : t`Run (Ctrl Enter)`}
        onClick={() => perform(runAgentBlock(canvas, block.id))}
      >
        {!isBusy && <Play aria-hidden className="size-12 fill-current" />}
      </Button>
      {hasNext && (
        <Button
          size="small-icon"
          tabIndex={-1}
          disabled={isDisabled || isBusy}
          aria-label="Run from here"
          title="Run this block and everything downstream"
          onClick={() => perform(runAgentBlock(canvas, block.id, { downstream: true }))}
        >
          <FastForward aria-hidden className="size-12 fill-current" />
        </Button>
      )}
    </span>
  )
}

const DEFAULT_AGENT = t`Default agent`

/** Editors get a select, other members the name. Guests can't read agents. */
function AgentChoice({ block, canChoose }: { block: Block; canChoose: boolean }) {
  const { store, isGuest } = useCanvas()
  const { data } = useQuery({ ...agentChoicesQuery, enabled: !isGuest })
  if (isGuest) return <p className="truncate text-12 text-neutral-11">Agent</p>
  const agentId = readAgentId(block)
  const agents = data?.items ?? []
  const currentAgent = agents.find(({ id }) => id === agentId)
  const name = agentId === null ? DEFAULT_AGENT : (currentAgent?.name ?? (data ? t`Unknown agent` : t`Agent`))
  if (!canChoose)
    return (
      <p className="truncate text-12 text-neutral-11">
        <Name>{name}</Name>
      </p>
    )
  const choose = (value: string) => {
    const { agentId: _former, ...metadata } = store.items.blocks.get(block.id)?.metadata ?? {}
    const next = value === '' ? metadata : { ...metadata, agentId: value }
    store.change({ update: { blocks: [{ id: block.id, metadata: next }] } })
  }
  return (
    // A native list opens above the canvas, at any zoom.
    <span className="nodrag nopan relative inline-flex max-w-full items-center text-12 text-neutral-11 hover:text-neutral-12">
      <select
        aria-label="Agent"
        tabIndex={-1}
        value={agentId ?? ''}
        onChange={(event) => choose(event.target.value)}
        className="field-sizing-content max-w-full cursor-pointer appearance-none truncate rounded-control bg-transparent pr-16"
      >
        <option value="">{DEFAULT_AGENT}</option>
        {agentId !== null && !currentAgent && <option value={agentId}>{name}</option>}
        {agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.emoji ? `${agent.emoji} ${agent.name}` : agent.name}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="canvas-control pointer-events-none absolute right-0 size-12" />
    </span>
  )
}
