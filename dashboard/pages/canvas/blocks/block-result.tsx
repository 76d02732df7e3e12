import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { runFormsQuery } from '../../../api/for-each.ts'
import { runQuery } from '../../../api/runs.ts'
import { isRecord } from '../../../components/results/labels.ts'
import { ResultView } from '../../../components/results/result-view.tsx'
import { AnswerView } from '../../../components/workflow-forms/answer-view.tsx'
import { useCanvas } from '../canvas-context.ts'
import { blockName } from '../model/block-labels.ts'
import { readSteps } from '../model/block-steps.ts'
import { readCutList } from '../model/cut-list.ts'
import type { Block } from '../store/items.ts'

interface BlockResultProps {
  block: Block
  state: AgentBlockState
  hasActions?: boolean
  /** For an answer in text. */
  children: ReactNode
}

/** The answer of an agent, a list's results, a form's answer or an event. */
export function BlockResult(props: BlockResultProps) {
  const { kind, forEach } = readSteps(props.block)
  const content =
    kind === 'form' ? (
      <FormAnswer {...props} />
    ) : forEach ? (
      <ListResult {...props} />
    ) : (
      <DataResult {...props} isEvent={kind === 'wait'} />
    )
  return <div className="@container">{content}</div>
}

/** The run has the fields' titles, and a long result whole. Guests can't read runs: they see what the block has. */
function DataResult({
  block,
  state,
  hasActions,
  isEvent,
  children,
}: BlockResultProps & { isEvent: boolean }) {
  const { isGuest } = useCanvas()
  const { output, outputIsData, outputRunId } = state
  const isData = outputIsData || isEvent
  const shown = useMemo(() => (isData ? parse(output ?? '') : null), [output, isData])
  const run = useQuery({
    ...runQuery(outputRunId ?? ''),
    enabled: outputIsData && outputRunId !== null && !isGuest,
  }).data
  const result = run && isRecord(run.output) ? run.output : isRecord(shown) ? shown : null
  if (!isData || result === null) return children
  return (
    <ResultView
      of={blockName(block)}
      output={result}
      schema={run?.outputSchema ?? null}
      hasActions={hasActions}
    />
  )
}

/** The form has the labels of when it was asked, and who answered. Guests can't read forms. */
function FormAnswer({ block, state, hasActions, children }: BlockResultProps) {
  const { isGuest } = useCanvas()
  const { output, outputRunId } = state
  const shown = useMemo(() => parse(output ?? ''), [output])
  const form = useQuery({
    ...runFormsQuery(outputRunId ?? ''),
    enabled: outputRunId !== null && !isGuest,
  }).data?.find(({ blockId }) => blockId === block.id)
  if (!isRecord(shown)) return children
  const { answeredBy: _memberId, ...answer } = shown
  const fields = form?.fields ?? readSteps(block).step?.fields
  return (
    <AnswerView
      of={blockName(block)}
      answer={form?.answer ?? answer}
      fields={fields}
      by={form}
      hasActions={hasActions}
    />
  )
}

/** A long list's block has its beginning. */
function ListResult({ block, state, hasActions, children }: BlockResultProps) {
  const { output, itemCounts } = state
  const shown = useMemo(() => readCutList(output ?? ''), [output])
  if (!shown) return children
  const { items, isCut } = shown
  return (
    <>
      <ResultView
        title={t`Results`}
        of={blockName(block)}
        output={items}
        schema={null}
        hasActions={hasActions}
      />
      {isCut && (
        <p className="mt-4 text-12 text-neutral-11">
          {itemCounts
            ? t`The first ${items.length} of ${itemCounts.total}. The run has all.`
            : t`The first ${items.length}. The run has all.`}
        </p>
      )}
    </>
  )
}

/** Null if the block has only the beginning. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
