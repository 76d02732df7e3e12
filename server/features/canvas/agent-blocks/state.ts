import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { METADATA_BYTES_MAX } from '../../../../contract/projects/projects.ts'
import type { Caller } from '../../../context.ts'
import type { BlockRun } from './queries.ts'

type Metadata = Record<string, unknown>

const OUTPUT_CHARACTERS_MAX = 20_000
const CUT = '\n\n[The answer is longer. This block’s conversation has the full text.]'

/**
 * Stays until replaced, with the run that wrote it, because that run's trust applies. Blocks older than `outputRunId`
 * use their last run.
 */
export const keptOutput = ({
  output,
  outputRunId,
  outputIsData,
  runId,
}: Metadata): Pick<AgentBlockState, 'output' | 'outputRunId' | 'outputIsData'> => {
  if (typeof output !== 'string') return { output: null, outputRunId: null, outputIsData: false }
  const writer = outputRunId ?? runId
  return {
    output,
    outputRunId: typeof writer === 'string' ? writer : null,
    outputIsData: outputIsData === true,
  }
}

export const startedState = (
  metadata: Metadata,
  { runId, sessionId }: Pick<AgentBlockState, 'runId' | 'sessionId'>,
): Omit<AgentBlockState, 'workflowRunId'> => ({
  runId,
  sessionId,
  status: 'queued',
  waitsFor: null,
  startedAt: null,
  finishedAt: null,
  cost: { amount: '0.000000', currency: 'USD' },
  error: null,
  itemCounts: null,
  ...keptOutput(metadata),
})

/** `answer` is null unless the run succeeded. */
export function metadataForRun(metadata: Metadata, run: BlockRun, answer: string | null): Metadata {
  const state: Omit<AgentBlockState, 'workflowRunId'> = {
    ...startedState(metadata, { runId: run.id, sessionId: run.sessionId }),
    status: statusOf(run),
    waitsFor: statusOf(run) === 'waiting' ? (run.wait?.for ?? null) : null,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    cost: { amount: run.cost, currency: 'USD' },
    error: run.error,
  }
  const next = { ...metadata, ...state }
  if (answer === null) return next
  return fitOutput({ ...next, output: answer, outputRunId: run.id, outputIsData: run.hasOutput })
}

/** Cuts the output so that the metadata fits. */
export function fitOutput(metadata: Metadata): Metadata {
  const { output } = metadata
  if (typeof output !== 'string') return metadata
  const otherBytes = Buffer.byteLength(JSON.stringify({ ...metadata, output: '' }))
  return { ...metadata, output: cut(output, METADATA_BYTES_MAX - otherBytes) }
}

/** Still running while queued for the next step or waiting to retry a provider. */
function statusOf({ status, wait, startedAt }: BlockRun): AgentBlockState['status'] {
  if (status === 'succeeded') return 'done'
  if (status === 'waiting' && wait?.for === 'retry') return 'running'
  return status === 'queued' && startedAt !== null ? 'running' : status
}

/** Leaves room: a caller can send back the metadata it read. */
function cut(answer: string, bytesMax: number): string {
  const fits = (text: string) => Buffer.byteLength(JSON.stringify(text)) <= bytesMax
  if (answer.length <= OUTPUT_CHARACTERS_MAX && fits(answer)) return answer
  let characters = Math.min(answer.length, OUTPUT_CHARACTERS_MAX)
  const shorter = () => answer.slice(0, characters).toWellFormed() + CUT
  while (characters > 0 && !fits(shorter())) characters = Math.floor(characters * 0.9)
  return characters > 0 ? shorter() : ''
}

interface RunRef {
  id: string
  createdBy: string
}

/** The history attributes a run's state to its starter. */
export const runtimeCaller = (orgId: string, { id, createdBy }: RunRef): Caller => ({
  via: 'run',
  credentialId: id,
  userId: createdBy,
  orgId,
  workspaceId: null,
  role: 'member',
  operator: false,
  scopes: [],
  stepUpUntil: null,
  stepUpMethods: [],
})
