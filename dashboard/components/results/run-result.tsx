import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { runQuery } from '../../api/runs.ts'
import { isRecord } from './labels.ts'
import { ResultView } from './result-view.tsx'

interface RunResultProps {
  runId: string
  /** Until the result is here, and if there is none. */
  children?: ReactNode
}

export function RunResult({ runId, children = null }: RunResultProps) {
  const run = useQuery(runQuery(runId)).data
  return run && isRecord(run.output) ? <ResultView output={run.output} schema={run.outputSchema} /> : children
}
