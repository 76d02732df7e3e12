import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { runQuery } from '../../../api/runs.ts'
import { isRecord } from '../../../components/results/labels.ts'
import { ResultView } from '../../../components/results/result-view.tsx'
import { useCanvas } from '../canvas-context.ts'

interface BlockResultProps {
  state: AgentBlockState
  hasActions?: boolean
  /** For an answer in text. */
  children: ReactNode
}

/** The run has the fields' titles, and a long result whole. Guests can't read runs: they see what the block has. */
export function BlockResult({ state, hasActions = true, children }: BlockResultProps) {
  const { isGuest } = useCanvas()
  const { output, outputIsData, outputRunId } = state
  const shown = useMemo(() => (outputIsData ? parse(output ?? '') : null), [output, outputIsData])
  const run = useQuery({
    ...runQuery(outputRunId ?? ''),
    enabled: outputIsData && outputRunId !== null && !isGuest,
  }).data
  const result = run && isRecord(run.output) ? run.output : shown
  if (!outputIsData || result === null) return children
  return (
    <div className="@container">
      <ResultView output={result} schema={run?.outputSchema ?? null} hasActions={hasActions} />
    </div>
  )
}

/** Null if the block has only the beginning. */
function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
